"""From the entry outward: every function that can be reached and has a body, and the symbols of all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from cladpy.deep import run_deep
from cladpy.diagnostics import NOWHERE, Sink, Span
from cladpy.frontend.again import is_of_the_launch
from cladpy.frontend.allocations import read_delete, read_new
from cladpy.frontend.calls import Calls
from cladpy.frontend.closures import Closures
from cladpy.frontend.constructors import Constructors
from cladpy.frontend.definitions import definitions
from cladpy.frontend.destructors import Destructors
from cladpy.frontend.directives import NONE, Directives, Pending
from cladpy.frontend.escaping import Escaping, Site
from cladpy.frontend.exceptions import Escape
from cladpy.frontend.files import Files
from cladpy.frontend.held import holds_functions
from cladpy.frontend.implicit import Implicit
from cladpy.frontend.indirect import Numbers, leads_to_function
from cladpy.frontend.instead import Instead
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.lambdas import Capture, Lambdas, is_shared
from cladpy.frontend.lengths import flattened, is_vector, returned
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.library import BUILT_IN, CHOICES, Library, is_built_in, is_read, library_class, refuse_unknown
from cladpy.frontend.marks import is_marked, is_marked_variable
from cladpy.frontend.names import qualified_name, template_arguments, variable_arguments, without_paths
from cladpy.frontend.objects import Objects, select
from cladpy.frontend.of_program import refuse_own, refuse_unseen
from cladpy.frontend.refused import REFUSED_TYPE, AlreadyReported, Refused, refuse
from cladpy.frontend.shared import Sharing
from cladpy.frontend.sides import DeviceSide
from cladpy.frontend.specials import Specials
from cladpy.frontend.statement_expressions import read_statement_expression
from cladpy.frontend.statements import Statements
from cladpy.frontend.teams import Team
from cladpy.frontend.types import Types, is_const, refuse_functions
from cladpy.ir.surface import AddressOf, Block, Deref, Evaluate, Expr, Function, Stmt, VarRef
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role, Space, Symbol
from cladpy.ir.types import (
    ASIDE,
    INT,
    VOID,
    Array,
    Pointer,
    Reference,
    Scalar,
    Struct,
    Type,
    Void,
    scalar_of,
    strip_reference,
)
from cladpy.known.library import is_name_of_library


class Functions:
    """Reads functions on demand. `functions` holds those that were read, in the order in which they were met."""

    def __init__(
        self,
        files: Files,
        sink: Sink,
        is_host: bool,
        directives: Directives | None = None,
        is_closed: Callable[[Cursor], bool] = lambda definition: False,
    ) -> None:
        """`is_host`: the file is seen as the host's compiler sees it. `directives` are those of its functions.
        `is_closed` says which definitions are taken for declarations."""
        self.files = files
        self._is_closed = is_closed
        self.directives = directives
        self.sink = sink
        self.types = Types()
        self.types.records.held = self._held
        self.specials = Specials(self.types.records)
        self.lambdas = Lambdas(self.types)
        self.closures = Closures(self.types.records, self.lambdas, files)
        self.implicit = Implicit(self, lambda symbol: FunctionReader(self, symbol))
        self.functions: dict[FunctionSymbol, Function] = {}
        self.is_host = is_host
        self.defers = is_host  # what is refused is left to the next stage
        self._device: tuple[DeviceSide, Functions] | None = None
        self.escaping = Escaping(self)
        self._library = Library()
        self.flat: Instead | None = None  # a function that takes pointers in place of the entry's vectors
        self._shared: dict[str, Symbol] = {}  # variables of both sides
        self._symbols: dict[tuple[tuple[int, int] | None, ...], FunctionSymbol] = {}
        self._globals: dict[tuple[int, int], Symbol | None] = {}
        self._constants: dict[tuple[int, int], int | float | None] = {}
        self._templates: set[tuple[int, int]] = set()
        self._waiting: deque[Callable[[], None]] = deque()
        self._with_directives: list[tuple[FunctionSymbol, Pending]] = []
        self._entry: Cursor | None = None  # of the host's side, or of the only one
        self._somewhere: Cursor | None = None
        self._numbers: Numbers | None = None
        self.unmet: set[str] = set()  # what is not known of Kokkos, by the assertions in the bodies that were read
        self.untold: list[
            tuple[Refused, FunctionSymbol | None]
        ] = []  # what regions that ask for the number of a thread would have to know of

    @property
    def has_teams(self) -> bool:
        """Whether a directive in what was read may begin a team of threads."""
        return any(d.may_begin_team for _, directives in self._with_directives for d in directives.all)

    def join(self, device: DeviceSide, functions: Functions) -> None:
        """Lets kernels be read as the device's compiler sees them."""
        self._device = (device, functions)
        functions.defers = True
        functions.functions, functions._waiting = self.functions, self._waiting
        functions._library, functions._shared = self._library, self._shared

    def read_all(self, entry: Cursor) -> FunctionSymbol | None:
        """Reads the entry and all that it reaches; what is refused goes to the sink."""
        return run_deep(lambda: self._read_all(entry))

    def _read_all(self, entry: Cursor) -> FunctionSymbol | None:
        self._entry = entry
        is_kernel = self._kind(entry, entry.definition) is FunctionKind.KERNEL  # whose parameters are refused anyway
        for type in (entry.type.canonical.result, *entry.type.canonical.parameters):
            if leads_to_function(type.canonical) and not is_kernel:
                refuse(self.sink, "CP0105", self.files.span(entry), f"'{type.spelling}'")
        try:
            symbol = self.symbol(entry, self.files.span(entry))
        except Refused as refused:
            refused.report(self.sink)
            return None
        while self._waiting:
            self._waiting.popleft()()
        refuse_unseen(self.functions, self._with_directives)
        own = self.directives.own_variables if self.directives is not None else None
        refuse_own(self.functions, self._with_directives, own or frozenset())
        held = [(p, c) for p in self._parameters(symbol) if (c := library_class(p.type)) is not None]
        vectors = [(p, c) for p, c in held if is_vector(p.type)]
        if (vectors or returned(symbol)) and not self.sink.errors:
            self.flat = flattened(self.functions[symbol])
        by_value = {p.spelling for p in entry.arguments if p.type.canonical.kind == TypeKind.RECORD}
        others = [
            (p, c)
            for p, c in held
            if scalar_of(p.type) == ASIDE or holds_functions(c) or (p.name in by_value and not is_vector(p.type))
        ]
        for parameter, name in others or vectors:
            refuse(self.sink, "CP0133", parameter.span, f"'{name}'")
        return symbol

    def _parameters(self, symbol: FunctionSymbol) -> tuple[Symbol, ...]:
        return self.functions[symbol].parameters if symbol in self.functions else ()

    @property
    def numbers(self) -> Numbers:
        """Those of the functions that the program makes pointers to."""
        if self._numbers is None:
            unit = self._somewhere
            assert unit is not None, "a function is being read"
            while unit.kind != CursorKind.TRANSLATION_UNIT:
                unit = unit.parent
            self._numbers = Numbers(definitions(unit) if self._entry is None else [self._entry])
        return self._numbers

    def _held(self, declaration: Cursor) -> Iterable[ClangType]:
        """What objects of a class hold besides its members."""
        return self.numbers.held.of(declaration) if holds_functions(declaration.type.spelling) else ()

    def later(self, read: Callable[[], None]) -> None:
        """Notes a function that is still to be read."""
        self._waiting.append(read)

    def symbol(
        self, cursor: Cursor, span: Span, given: Sequence[Cursor | None] = (), leaving: tuple[Site, ...] = ()
    ) -> FunctionSymbol:
        """The symbol of a function; one with a body outside the system's headers is read later. `given` are functions
        that it is given as arguments, by position: it is made for these, without parameters for them.
        Of one that is called where what it throws is followed, that is what is `leaving` it.

        Raises Refused, at `span`, for functions that cannot be called from differentiated code.
        """
        self._somewhere = cursor
        key = (cursor.canonical.key, *(None if f is None else f.canonical.key for f in given))
        if leaving:
            key = (*key, _LEAVING)
            self._templates.add(cursor.canonical.key)
        known = self._symbols.get(key)
        if known is not None:
            return known
        definition = self._opened(cursor.definition)
        is_method = cursor.kind in _METHODS
        is_library = definition is None or (cursor.in_system_header and not is_method and not is_read(cursor))
        name = cursor.spelling
        if is_method and (definition is None or definition.is_deleted):
            raise Refused("CP0206" if is_name_of_library(name) else "CP0005", span, f"'{name}'")
        if cursor.is_variadic and not is_library:
            raise Refused("CP0109", span, f"'{name}'")
        kind = self._kind(cursor, definition)
        if kind is FunctionKind.KERNEL and self._device is not None:
            side, functions = self._device
            kernel = side.kernel(cursor)
            if kernel is not None:
                self._symbols[key] = functions.symbol(kernel, span)
                return self._symbols[key]
        type = cursor.type.canonical
        object: tuple[Type, ...] = ()
        if is_method:
            owner = self.types.records.of_method(cursor, span)
            own = name.split("<")[0] if cursor.kind == CursorKind.CONSTRUCTOR else name
            qualified = f"{owner.spelling}::{own}{template_arguments(cursor)}"
            if not cursor.is_static_method:
                object = (Pointer(owner, cursor.is_const_method),)
        else:
            qualified = qualified_name(cursor, with_arguments=not is_library)
        if cursor.in_system_header:
            refuse_unknown(cursor, span)
        pointers = [t for t in (type.result, *type.parameters) if leads_to_function(t.canonical)]
        if pointers and (definition is None or is_library):
            refuse_functions(pointers[0], span)
        if definition is None or is_library:
            if name in _MEMORY:
                name = qualified = _MEMORY[name]
            elif is_built_in(name):
                name = qualified = name.removeprefix(BUILT_IN)
            result = self.types.convert(type.result, span)
            parameters = tuple(self.types.convert(p, span) for p in type.parameters)
            symbol = self._library.symbol(name, qualified, result, parameters, kind, NOWHERE)
        else:
            place = self.files.span(definition)
            named = definition.arguments
            result = (
                VOID
                if cursor.kind in (CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR)
                else self._signature_type(type.result, place, kind)
            )
            parameters = tuple(
                self.passed_as(self._signature_type(p, self.files.span(named[i]) if i < len(named) else place, kind))
                for i, p in enumerate(type.parameters)
                if not (i < len(given) and given[i]) and not is_of_the_launch(p)
            )
            escape = _escape(leaving, place)
            parameters = (*object, *parameters, *([] if escape is None else escape.types))
            if name in CHOICES and cursor.in_system_header and isinstance(strip_reference(result), Scalar):
                result = strip_reference(result)
            marked = is_marked(cursor, definition, cursor.canonical)
            if cursor.kind == CursorKind.CXX_METHOD and object:
                marked = marked or is_marked(cursor.canonical.parent)
            written = [p for p in type.parameters if not is_of_the_launch(p)]
            volatile = () if given or leaving else ("",) * len(object) + tuple(_volatile(p) for p in written)
            symbol = FunctionSymbol(
                name,
                qualified,
                result,
                parameters,
                kind,
                place,
                is_method=bool(object),
                nondifferentiable=marked,
                volatile=volatile if any(volatile) else (),
                unnamed=bool(given or leaving or pointers),
            )
            self.later(lambda: self._read(symbol, definition, given, escape))
        self._symbols[key] = symbol
        template = cursor.template
        if template is not None:
            self._templates.add(template.canonical.key)
        return symbol

    def c_function(self, name: str, result: Type, parameters: tuple[Type, ...]) -> FunctionSymbol:
        """A function of the C library, called for what C++ has other words for."""
        return self._library.symbol(name, name, result, parameters, FunctionKind.HOST, NOWHERE)

    def library_symbol(self, cursor: Cursor, result: Type, parameters: tuple[Type, ...]) -> FunctionSymbol:
        """The symbol of a library's function, by another signature than libclang shows."""
        kind = self._kind(cursor, cursor.definition)
        qualified = qualified_name(cursor, with_arguments=False)
        return self._library.symbol(cursor.spelling, qualified, result, parameters, kind, NOWHERE)

    def _signature_type(self, type: ClangType, span: Span, kind: FunctionKind) -> Type:
        """A type of the user's own function; where it is refused, which is reported, something stands in for it. In
        host code it is the calls that are refused."""
        try:
            if (
                kind is FunctionKind.KERNEL
            ):  # the original is launched, and does not know what stands for functions here
                refuse_functions(type, span)
            return self.types.convert(type, span)
        except Refused as refused:
            if self.defers:
                raise
            refused.report(self.sink)
            return REFUSED_TYPE

    def passed_as(self, type: Type) -> Type:
        """A parameter's type. An object whose destructor does something is passed by reference, as the callers destroy
        it when the whole expression is done (the Itanium ABI, which GCC, clang and nvcc follow)."""
        by_reference = self.is_host and isinstance(type, Struct) and self.specials.destructor(type) is not None
        return Reference(type) if by_reference else type

    def _kind(self, cursor: Cursor, definition: Cursor | None) -> FunctionKind:
        found: set[int] = set()
        for declaration in (cursor, definition, cursor.canonical):
            if declaration is not None:
                found.update(c.kind for c in declaration.children() if 400 <= c.kind < 500)
        if CursorKind.CUDA_GLOBAL_ATTR in found:
            return FunctionKind.KERNEL
        if CursorKind.CUDA_DEVICE_ATTR in found:
            return FunctionKind.HOST_DEVICE if CursorKind.CUDA_HOST_ATTR in found else FunctionKind.DEVICE
        if not self.is_host:
            return FunctionKind.HOST_DEVICE  # constexpr, or one of the compiler's own, called from device code
        return FunctionKind.HOST

    def may_leave_early(self, function: FunctionSymbol) -> bool:
        """Whether a function can give something where it throws, and what it gives can be held in a variable."""
        result = function.result
        if isinstance(result, Struct):
            return self.specials.destructor(result) is None
        return isinstance(result, Void | Scalar | Pointer)

    def _read(
        self,
        symbol: FunctionSymbol,
        definition: Cursor,
        given: Sequence[Cursor | None],
        escape: Escape | None,
    ) -> None:
        reader = FunctionReader(self, symbol)
        reader.escape = escape
        self.types.has_volatile = any(symbol.volatile)
        span = self.files.span(definition)
        if self.directives is not None and not reader.on_device:
            reader.directives = self.directives.within(definition)
            self._with_directives.append((symbol, reader.directives))
        parameters: list[Symbol] = []
        body: Cursor | None = None
        before: list[Stmt] = []
        if symbol.is_method:
            owner = self.types.records.of_method(definition, span)
            parameters.append(reader.declare_this(symbol.parameters[0], owner, span))
        for i, cursor in enumerate(definition.arguments):
            function = given[i] if i < len(given) else None
            if function is not None:
                reader.given[cursor.key] = function
            elif not is_of_the_launch(cursor.type):
                position = len(parameters)
                parameters.append(reader.parameter(cursor, symbol.parameters[position], position))
        if escape is not None:
            parameters += [escape.number, *escape.values.values()]
        if definition.kind == CursorKind.CONSTRUCTOR:
            before = self._initialisers(reader, owner, definition, parameters)
        for child in definition.children():
            if child.kind == CursorKind.COMPOUND_STMT:
                body = child
            elif child.kind == CursorKind.TRY_STMT and reader.may_fail:
                # handlers of constructors and destructors pass on what they catch
                ends = definition.kind in (CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR)
                body = child.children()[0] if ends else child
            elif child.kind == CursorKind.TRY_STMT:
                before += reader.left_out(Refused("CP0103", self.files.span(child)), span)
        try:
            if body is None:  # clang has a body of its own for coroutines
                before += reader.left_out(Refused("CP0118", span), span)
            block = reader.statements.block(body) if body is not None else Block((), span)
        except RecursionError:
            refuse(self.sink, "CP0007", span)
            return
        statements = reader.destructors.leave([*reader.before, *before, *block.statements], span)
        block = Block(tuple(statements), block.span)
        volatile = self.types.has_volatile
        self.functions[symbol] = Function(symbol, tuple(parameters), block, span, definition.in_system_header, volatile)

    @staticmethod
    def _initialisers(
        reader: FunctionReader, owner: Struct, definition: Cursor, parameters: list[Symbol]
    ) -> list[Stmt]:
        """What a constructor does before its body."""
        constructors = Constructors(reader, owner)
        try:
            inherited = constructors.inherited(definition, parameters)
            return inherited if inherited is not None else constructors.written(definition)
        except Refused as refused:
            return reader.left_out(refused, reader.files.span(definition))

    def has_read(self, function: Cursor) -> bool:
        """Whether the entry reaches this function; of a template, any of its specialisations."""
        is_called = (function.canonical.key,) in self._symbols or function.canonical.key in self._templates
        return is_called and not self._is_closed(function)

    def _opened(self, definition: Cursor | None) -> Cursor | None:
        return None if definition is None or self._is_closed(definition) else definition

    def constant(self, declaration: Cursor) -> int | float | None:
        """The value of a constant scalar at namespace scope or in a class."""
        key = declaration.key
        if key not in self._constants:
            self._constants[key] = None
            type = declaration.type.canonical
            if declaration.kind == CursorKind.VAR_DECL and type.is_const and _is_global(declaration):
                self._constants[key] = declaration.evaluate()
        return self._constants[key]

    def global_variable(self, declaration: Cursor) -> Symbol | None:
        """The symbol of a variable at namespace scope, or of shared memory that a function shares with its lambdas.
        Raises Refused for one of an unsupported type."""
        key = declaration.canonical.key
        if key not in self._globals:
            is_global = _is_global(declaration)
            if not is_global and not is_shared(declaration):
                return None
            span = self.files.span(declaration)
            refuse_functions(declaration.type, span)
            type = self.types.convert(declaration.type, span)
            attributes = {c.kind for c in declaration.children() if 400 <= c.kind < 500}
            space = Space.GLOBAL
            if CursorKind.CUDA_CONSTANT_ATTR in attributes:
                space = Space.CONSTANT
            elif CursorKind.CUDA_SHARED_ATTR in attributes:
                space = Space.SHARED
            symbol = Symbol(
                _variable_name(declaration),
                type,
                Role.GLOBAL,
                span,
                space,
                is_const(declaration.type.canonical),
                is_marked_variable(declaration),
                _is_defined(declaration),
                _initial(declaration, type),
            )
            self._globals[key] = self._shared.setdefault(declaration.usr, symbol) if is_global else symbol
        return self._globals[key]


class FunctionReader:
    """The scope of one function: its variables, and what its body needs from the rest of the program."""

    def __init__(self, program: Functions, function: FunctionSymbol) -> None:
        self.program = program
        self.function = function
        self.files = program.files
        self.types = program.types
        self.sink = program.sink
        self.result = function.result
        self.is_host = program.is_host
        self.on_device = not program.is_host or function.kind in (FunctionKind.KERNEL, FunctionKind.DEVICE)
        self.defers = program.defers
        self.may_fail = program.is_host and function.kind is FunctionKind.HOST
        self.statements = Statements(self)
        self.calls = Calls(self, program.symbol)
        self.objects = Objects(self)
        self.destructors = Destructors(self)
        self._this: Symbol | None = None
        self._captures: tuple[Capture, ...] = ()
        self._aliases: dict[tuple[int, int], Expr] = {}
        self._variables: dict[tuple[int, int], Symbol | Refused | None] = {}
        self.given: dict[tuple[int, int], Cursor] = {}  # the functions that parameters stand for
        self.directives = NONE
        self.region: Sharing | None = None  # the parallel region around, of which each statement is a shared loop
        self.barriers: list[Span] = []  # where OpenMP's threads wait for each other
        self.alone: list[Span] = []  # what one thread runs at a time, of the shared loop that is being read
        self.team: Team | None = None  # the threads of the region around, each of which runs what is being read
        self.threads: VarRef | None = None  # how many of them regions have that do not say it themselves
        self.has_teams = False  # whether there was a region that is read so
        self.escape: Escape | None = None  # of a function that is left where it throws
        self.escaped: dict[Scalar | None, Symbol] = {}  # what holds what functions that are called throw
        self.before: list[Stmt] = []  # constants of a function around; in host code, refusals of parameters

    def report(self, refused: Refused) -> None:
        """Reports what is refused. In host code it is raised, to be left for the next stage."""
        if self.defers:
            raise refused
        refused.report(self.sink)

    def left_out(self, refused: Refused, span: Span) -> list[Stmt]:
        """What stands for a statement that is refused: in host code, the refusal."""
        if self.defers:
            left = refused.instead(VOID, span)
            return [Evaluate(left, left.span)]
        refused.report(self.sink)
        return []

    def declare_this(self, type: Type, owner: Struct, span: Span) -> Symbol:
        """The first parameter of a member function of `owner`."""
        self._this = Symbol("this", type, Role.PARAMETER, span, const=True)
        if owner.record.is_lambda:
            try:
                self._captures = self.program.lambdas.captures(owner, None, span)
            except Refused as refused:
                self.before += self.left_out(refused, span)
        return self._this

    def this_pointer(self, span: Span) -> Expr | None:
        """The pointer to the object whose members are named; in a lambda, that of the function around it."""
        if self._this is None:
            return None
        for capture in self._captures:
            if capture.variable is None:
                field = self._captured(capture, span)
                return AddressOf(field, Pointer(field.type), span) if isinstance(field.type, Struct) else field
        return VarRef(self._this, self._this.type, span)

    def _captured(self, capture: Capture, span: Span) -> Expr:
        assert self._this is not None and isinstance(self._this.type, Pointer)
        closure = Deref(VarRef(self._this, self._this.type, span), self._this.type.pointee, span)
        return select(closure, capture.field, span)

    def alias(self, declaration: Cursor, meaning: Expr) -> None:
        """Lets a name stand for an expression."""
        self._aliases[declaration.key] = meaning

    def meaning(self, declaration: Cursor, span: Span) -> Expr | None:
        """What a name stands for that is not a variable of its own: what a lambda captured, a part of something."""
        for capture in self._captures:
            if capture.variable is not None and capture.variable.key == declaration.key:
                return self._captured(capture, span)
        if declaration.key in self._aliases:
            return self._aliases[declaration.key]
        if self._this is not None and declaration.key not in self._variables and not _is_global(declaration):
            owner = self._this.type.pointee if isinstance(self._this.type, Pointer) else None
            if isinstance(owner, Struct) and owner.record.is_lambda and not is_shared(declaration):
                # a constant of the function around, which need not be captured
                again = self.statements.declare(declaration)
                if again is not None:
                    self.before.append(again)
        return None

    def within(self, function: FunctionSymbol) -> FunctionReader:
        """The scope of a function that is made of a part of this one."""
        reader = FunctionReader(self.program, function)
        reader.directives = self.directives
        return reader

    def lend(self, variable: Cursor, value: Expr, span: Span) -> Symbol:
        """The parameter by which such a function is lent a variable."""
        const, marked = is_const(variable.type.canonical), is_marked_variable(variable)
        symbol = Symbol(variable.spelling, Reference(value.type, const), Role.PARAMETER, span, nondifferentiable=marked)
        self._variables[variable.key] = symbol
        return symbol

    def lend_this(self, pointer: Expr, span: Span) -> Symbol:
        """The parameter by which it is lent the object whose members are named."""
        self._this = Symbol("this", pointer.type, Role.PARAMETER, span, const=True)
        return self._this

    def parameter(self, cursor: Cursor, type: Type, position: int) -> Symbol:
        span = self.files.span(cursor)
        own = type
        said: Refused | None = None
        if type != REFUSED_TYPE:
            try:
                # unlike the function's type, this one keeps __restrict__
                own = self.program.passed_as(self.types.convert(cursor.type, span))
            except Refused as refused:  # and the names of textures
                self.before += self.left_out(refused, span)
                own = type = REFUSED_TYPE
                said = refused if self.defers else None
            if isinstance(own, Array):
                own = type  # `double x[]` declares a pointer
        name = cursor.spelling or f"unnamed_{position}"
        if any(isinstance(known, Symbol) and known.name == name for known in self._variables.values()):
            name = f"{name}_{position}"  # parameters that come out of one pack
        symbol = Symbol(
            name, own, Role.PARAMETER, span, Space.LOCAL, is_const(cursor.type.canonical), is_marked_variable(cursor)
        )
        self._variables[cursor.key] = symbol if type != REFUSED_TYPE else said
        return symbol

    def declare(self, cursor: Cursor, type: Type, space: Space, span: Span, role: Role = Role.VARIABLE) -> Symbol:
        symbol = Symbol(
            cursor.spelling,
            type,
            role,
            span,
            space,
            is_const(cursor.type.canonical),
            is_marked_variable(cursor),
        )
        self._variables[cursor.key] = symbol
        return symbol

    @contextmanager
    def in_region(self, region: Sharing | None) -> Iterator[None]:
        """What is read inside are the statements of this parallel region."""
        before, self.region = self.region, region
        try:
            yield
        finally:
            self.region = before

    @contextmanager
    def in_team(self, team: Team | None) -> Iterator[None]:
        """What is read inside is what each of these threads does."""
        before, self.team = self.team, team
        try:
            yield
        finally:
            self.team = before

    def rebind(self, declaration: Cursor, symbol: Symbol) -> None:
        """Lets a declared variable be this one from here on."""
        self._variables[declaration.key] = symbol

    def named(self, name: str) -> Symbol | None:
        """The variable of this name, if the function has had one such until here."""
        found = [v for v in self._variables.values() if isinstance(v, Symbol) and v.name == name]
        return found[0] if len(found) == 1 else None

    def forget(self, cursor: Cursor, refused: Refused | None = None) -> None:
        """Notes that a declaration was refused: uses of it say nothing more, or in host code the same."""
        self._variables[cursor.key] = refused if self.defers else None

    def symbol(self, declaration: Cursor) -> Symbol | None:
        key = declaration.key
        if key in self._variables:
            known = self._variables[key]
            if known is None:
                raise AlreadyReported
            if isinstance(known, Refused):
                raise known
            return known
        return self.program.global_variable(declaration)

    def constant(self, declaration: Cursor) -> int | float | None:
        return None if declaration.key in self._variables else self.program.constant(declaration)

    def function_number(self, function: Cursor) -> int | None:
        return self.program.numbers.of(function)

    def call(self, cursor: Cursor) -> Expr:
        return self.calls.read(cursor)

    def together(self, cursor: Cursor, span: Span) -> Expr:
        return read_statement_expression(cursor, span, self)

    def allocation(self, cursor: Cursor, span: Span) -> Expr:
        return (read_new if cursor.kind == CursorKind.NEW_EXPR else read_delete)(cursor, self, span)


# C++'s functions for memory, which the C library has as well.
_MEMORY = {
    "operator new": "malloc",
    "operator delete": "free",
    "__builtin_operator_new": "malloc",
    "__builtin_operator_delete": "free",
}
_METHODS = (
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
)


_LEAVING = (-1, -1)


def _escape(leaving: tuple[Site, ...], span: Span) -> Escape | None:
    """The parameters by which a function says what it has thrown."""
    if not leaving:
        return None
    number = Symbol("escaped", Reference(INT), Role.PARAMETER, span)
    values = {
        scalar: Symbol(f"escaped_{scalar.kind.name.lower()}", Reference(scalar), Role.PARAMETER, span)
        for scalar in dict.fromkeys(s.scalar for s in leaving if s.scalar is not None)
    }
    return Escape(number, values, leaving)


def _volatile(type: ClangType) -> str:
    """A parameter's type in C++ where it leads to volatile memory."""
    spelling = without_paths(type.canonical.spelling)
    return spelling if type.canonical.kind == TypeKind.POINTER and "volatile " in spelling else ""


def _is_defined(declaration: Cursor) -> bool:
    scopes = (CursorKind.TRANSLATION_UNIT, CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC)
    known = declaration.definition is not None and declaration.template is None
    return known and declaration.canonical.parent.kind in scopes


def _initial(declaration: Cursor, type: Type) -> float | None:
    """What a number or a pointer at namespace scope holds where the program begins; None where that is not known."""
    if declaration.definition is None or not isinstance(type, Scalar | Pointer):
        return None
    initializer = declaration.definition.initializer
    while initializer is not None and initializer.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.INIT_LIST_EXPR):
        initializer = next((c for c in initializer.children() if is_expression(c.kind)), None)
    if initializer is None or initializer.kind in (CursorKind.NULLPTR_LITERAL_EXPR, CursorKind.GNU_NULL_EXPR):
        return 0
    value = initializer.evaluate()
    return None if isinstance(type, Pointer) and value else value


def _variable_name(declaration: Cursor) -> str:
    """A variable's name; that of a class template's member with the arguments of its class."""
    owner = without_paths(declaration.parent.type.canonical.spelling)
    if owner.endswith(">"):
        return f"{owner}::{declaration.spelling}"
    return qualified_name(declaration, with_arguments=False) + (variable_arguments(declaration) or "")


def _is_global(declaration: Cursor) -> bool:
    """At namespace scope, or a static member of a class."""
    is_variable = declaration.kind == CursorKind.VAR_DECL or variable_arguments(declaration) is not None
    return is_variable and declaration.parent.kind not in (
        CursorKind.FUNCTION_DECL,
        CursorKind.FUNCTION_TEMPLATE,
        CursorKind.CXX_METHOD,
        CursorKind.CONSTRUCTOR,
        CursorKind.DESTRUCTOR,
        CursorKind.CONVERSION_FUNCTION,
    )
