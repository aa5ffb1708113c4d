"""The entry of normalisation: a function with its parameters bound, its body in structured SSA."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.diagnostics import Sink
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.access import Access
from cladpy.ir.beside import numbers_beside
from cladpy.ir.reach import memory_in
from cladpy.ir.symbols import FunctionKind, Symbol
from cladpy.ir.types import ASIDE, BOOL, VOID, Array, Field, Opaque, Pointer, Reference, Scalar, Struct, Type, spell
from cladpy.ir.walk import statements
from cladpy.normalize.accesses import Frame
from cladpy.normalize.builder import FALSE, Abandon, Content
from cladpy.normalize.decisions import Restart
from cladpy.normalize.exits import Exits
from cladpy.normalize.half_shuffles import join_halves
from cladpy.normalize.layout import comes_apart
from cladpy.normalize.links import with_links
from cladpy.normalize.loads import merge_loads
from cladpy.normalize.memory import Handles, Memory
from cladpy.normalize.places import NULL, ZERO, Cell, Object, Row, Table, zero_of
from cladpy.normalize.places import Pointer as Place
from cladpy.normalize.policy import Policy
from cladpy.normalize.retries import join_retries
from cladpy.normalize.simplify import simplify
from cladpy.normalize.storage import LONGEST_ROW
from cladpy.normalize.together import Together
from cladpy.order.scan import Assigned, Jumps


def normalize(function: s.Function, policy: Policy, sink: Sink) -> core.Function:
    """The function in core form, with the calls inlined that `policy` says. Raises DifferentiationError and Restart."""
    try:
        result = _Lowering(function, policy, sink).run()
    except Handles as found:
        sink.error(
            "CP0214",
            f"'{found.symbol.name}' leads to memory that holds '{spell(found.type)}', which can only be passed on",
            found.symbol.span,
            hint="pass the stream or handle by itself, by value or by reference",
        )
        sink.raise_if_errors()
    except Abandon:
        sink.raise_if_errors()
        raise AssertionError("a refusal without a diagnostic") from None
    given = _given_away(result)
    if given:
        raise Restart(policy.decisions.with_copies(function.symbol, *given))
    sink.raise_if_errors()
    return join_halves(join_retries(merge_loads(simplify(result), may_alias=policy.may_alias)))


def _given_away(function: core.Function) -> set[int]:
    """The positions of objects passed by value whose arrays are given to calls that write them: what the calls write is
    the function's own copy, and its adjoint has to be as well."""
    calls = (c for c in statements(function.body) if isinstance(c, core.Call))
    given = (memory for c in calls for i in c.writes for memory in memory_in(c.arguments[i]))
    places = (p for m in given for p in (m.alternatives if isinstance(m, core.ChosenArgument) else (m,)))
    return {p.root.position for p in places if p.root.by_value and p.root.position is not None}


@dataclass(frozen=True, slots=True)
class _Own:
    """A place in a member that has an adjoint of its own, `way` from the member's beginning."""

    offset: int  # of the member
    way: Access

    def member(self, field: Field) -> _Own:
        return _Own(self.offset, self.way.member(field))

    @property
    def adjoint(self) -> core.OwnAdjoint:
        return core.OwnAdjoint(self.offset, "" if self.way.text == "{b}" else self.way.text)


def _own_adjoint(type: Type, field: Field, offset: int) -> _Own | None:
    """Of a member that begins at an offset into an object passed by value."""
    known = any(b.offset == offset and b.type == field.type for b in numbers_beside(type))
    return _Own(offset, Access(field.type)) if known else None


class _Lowering(Together):
    def __init__(self, function: s.Function, policy: Policy, sink: Sink) -> None:
        super().__init__(sink)
        self.jumps = Jumps()
        self.function = function
        self.policy, self.decisions = policy, policy.decisions
        self.globals = policy.globals
        assigned = Assigned()
        assigned.add_statement(function.body)
        self.constant_parameters = frozenset(p for p in function.parameters if p not in assigned.symbols)
        self.shared, self.shared_places, self.dynamic, self.sharing = [], {}, {}, False
        self.on_host = function.symbol.kind is FunctionKind.HOST
        self.allocated, self.sites, self.inlined_at, self.sizes = [], {}, [], {}
        self.untyped, self.bytes, self.uses_of_untyped = {}, {}, {}
        self.located, self.beginning = {}, []
        self.levels = 0
        self.counters, self.beside, self.deep = {}, {}, set()
        self.pointer_name, self.pointer_cell = "memory", None
        self.views, self.flats, self.raws, self.owners = {}, {}, {}, {}
        self.active_calls = [function.symbol]
        self.outer_references: list[Place] = []
        self.frame = Frame()
        returned = Cell("returned", BOOL)
        self.layers[-1][returned] = FALSE
        self.exits = Exits(returned)
        self.answers = {}
        self.parts: list[list[core.Part]] = []
        result = function.symbol.result
        self.result = None
        if isinstance(result, Scalar):
            self.result = Cell("result", result)
            self.layers[-1][self.result] = zero_of(result)
        elif isinstance(result, Struct) and comes_apart(result):
            self.result = Place((self.local("result", result, function.span),), ZERO)

    def run(self) -> core.Function:
        symbol = self.function.symbol
        if self.result is None and symbol.result != VOID:
            raise self.refuse(
                "CP0215",
                f"'{symbol.name}' returns '{spell(symbol.result)}', for which a gradient has no cotangent",
                self.function.span,
                "differentiate a function that returns numbers, or writes its results through a pointer",
            )
        bound = [self._parameter(symbol, i) for i, symbol in enumerate(self.function.parameters)]
        self.sequence(self.function.body.statements)
        for name, span in self.uses_of_untyped.items():
            self.sink.error(
                "CP0240",
                f"nothing says of what type the memory is that '{name}' leads to",
                span,
                hint="convert the pointer to one to the numbers or objects that lie there, or declare it as one",
            )
        results: tuple[core.Leaf, ...] = ()
        match self.result:
            case Cell() as cell:
                results = (core.Leaf(self.scalar(cell)),)
            case Place() as place if isinstance(symbol.result, Struct):
                results = self.numbers(place, symbol.result, self.function.span)
        parameters = tuple(
            core.Parameter(p.name, p.type, tuple(parts)) for p, parts in zip(bound, self.parts, strict=True)
        )
        body = with_links((*self.shared, *self.beginning, *self.out), self.beside)
        variables = self.globals.all()
        heap = tuple(
            core.Variable(symbol, tuple(p.content for p in parts if isinstance(p.content, core.Root)))
            for symbol, parts in self.allocated
        )
        return core.Function(self.function.symbol, parameters, body, results, self.function.span, variables, heap)

    def _parameter(self, symbol: Symbol, position: int) -> core.Parameter:
        """Binds a parameter. Those of class type get more parts as the function asks for them."""
        parts: list[core.Part] = []
        self.parts.append(parts)
        match symbol.type:
            case Scalar() as type:
                self._bind_value(symbol, type, parts)
            # a stream, a library's handle: what the function makes of one by reference stays its own
            case (Opaque() as type) | Reference(Opaque() as type) if self.on_host and type != ASIDE:
                self._bind_value(symbol, type, parts)
            case Pointer(pointee, const):
                memory = Memory(symbol, position, parts)
                target = memory.behind_pointer(pointee, const)
                self._bind_cell(symbol, Place((target,), ZERO))
                if isinstance(target, Table):  # the adjoint has a parameter whether or not it is used
                    memory.leaf(target)
            case Reference(referee, const):
                self.frame.bindings[symbol] = Memory(symbol, position, parts).behind_reference(referee, const)
            case Struct() as type:
                self.frame.bindings[symbol] = self._object(symbol, position, parts, type)
            case _:
                raise self.refuse(
                    "CP0214",
                    f"parameter '{symbol.name}' has a type that is not supported",
                    symbol.span,
                    "numbers, classes, and pointers and references to them, are",
                )
        return core.Parameter(self._name(symbol), symbol.type, ())

    def _name(self, symbol: Symbol) -> str:
        """What a parameter is called: the object of a method has no name that C++ would take."""
        if symbol.name != "this":
            return symbol.name
        return "_self" if any(p.name == "self" for p in self.function.parameters) else "self"

    def _bind_value(self, symbol: Symbol, type: Scalar | Opaque, parts: list[core.Part]) -> None:
        value = core.Value(symbol.name, type)
        cell = Cell(symbol.name, type)
        self.frame.bindings[symbol] = cell
        self.layers[-1][cell] = core.Use(value)
        parts.append(core.Part(value))

    def _bind_cell(self, symbol: Symbol, content: Content) -> None:
        cell = Cell(symbol.name, symbol.type)
        self.frame.bindings[symbol] = cell
        self.layers[-1][cell] = content

    def _object(
        self,
        symbol: Symbol,
        position: int,
        parts: list[core.Part],
        type: Struct,
        way: Access | None = None,
        start: int = 0,
        own: _Own | None = None,
    ) -> Object:
        """An object passed by value, or in one, `way` and `start` bytes from its beginning: its scalars are values, its
        pointers lead to memory. `own` says where it lies in a member that has an adjoint of its own."""
        made = Object(symbol.name, type, lambda _: NULL, dense=True)
        if type.record.is_union:
            raise self.refuse(
                "CP0230",
                f"'{symbol.name}' is passed by value, and the union '{type.spelling}' is in it",
                symbol.span,
                "pass a pointer to the object",
            )
        for field in type.fields:
            here = (way or Access(type)).member(field)
            name = f"{symbol.name}{here.name}"
            offset = start + field.offset
            inside = _own_adjoint(symbol.type, field, offset) if own is None else own.member(field)
            adjoint = None if inside is None else inside.adjoint
            match field.type:
                case Scalar() as scalar:
                    value = core.Value(name, scalar)
                    parts.append(core.Part(value, here.text, adjoint))
                    cell = Cell(name, scalar)
                    self.layers[-1][cell] = core.Use(value)
                    made.parts[field] = cell
                case Pointer() as pointer:
                    made.parts[field] = self._pointer_member(symbol, position, parts, pointer, here)
                case Array(element=Pointer() as pointer, length=length) if length <= LONGEST_ROW:
                    each = [Access(pointer, f"{here.text}[{i}]", 0, f"{here.name}[{i}]") for i in range(length)]
                    cells = [self._pointer_member(symbol, position, parts, pointer, one) for one in each]
                    made.parts[field] = Row(name, tuple(cells))
                case Struct() as inner:
                    made.parts[field] = self._object(symbol, position, parts, inner, here, offset, inside)
                case Array():
                    memory = Memory(symbol, position, parts, here.text, adjoint)
                    array = memory.member_array(field.type, here)
                    if (self.function.symbol, position) in self.decisions.copied:
                        local = self.local(name, field.type, symbol.span)
                        places = [Place((target,), core.Nested(ZERO, ZERO, None)) for target in (array, local)]
                        self.copy(places[0], places[1], field.type, symbol.span)
                        array = local
                    made.parts[field] = array
                case _:
                    raise self.refuse(
                        "CP0214",
                        f"the member '{field.name}' of parameter '{symbol.name}' has a type that is not supported",
                        symbol.span,
                        "numbers, classes, and pointers to them, are",
                    )
        return made

    def _pointer_member(
        self, symbol: Symbol, position: int, parts: list[core.Part], type: Pointer, member: Access
    ) -> Cell:
        cell = Cell(f"{symbol.name}{member.name}", type)
        target = Memory(symbol, position, parts).behind_member(type.pointee, type.const, member)
        self.layers[-1][cell] = Place((target,), ZERO)
        return cell
