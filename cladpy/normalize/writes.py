"""Through which of its parameters a function writes: what decides whether a function only reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from cladpy import known
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.symbols import FunctionSymbol, Role, Space, Symbol
from cladpy.ir.types import Array, Pointer, Reference, Scalar, Type, strip_reference
from cladpy.normalize.layout import comes_apart
from cladpy.order import scan

# What a function writes: memory behind the parameters at these positions; OUTSIDE is any other memory, EFFECT is what
# printing and the like do, which no memory shows, ATOMIC what other threads may add to.
OUTSIDE = -1
EFFECT = -2
ATOMIC = -3
Written = frozenset[int]


def written_through(symbol: FunctionSymbol, functions: Mapping[FunctionSymbol, s.Function]) -> Written:
    """What a function, with all that it calls, writes besides its own variables."""
    found: dict[FunctionSymbol, Written] = {symbol: frozenset()}
    changed = True
    while changed:
        changed = False
        for here in list(found):
            scanned = _Scan(functions[here], functions, found)
            now = found[here] | scanned.run()
            if now != found[here] or scanned.new:
                changed = True
            found[here] = now
    return found[symbol]


def has_only_given(symbol: FunctionSymbol, below: Iterable[s.Function]) -> bool:
    """Whether all memory that a function could write is its own, or behind its parameters: where the way of a pointer
    through objects and lambdas is not known, it leads nowhere else. `below` are the function and all that it calls."""
    if not all(isinstance(strip_reference(t), Scalar) or _is_plain(t) for t in symbol.parameters):
        return False
    for function in below:
        if not all(v.const or v.space is Space.CONSTANT for v in scan.globals_of(function)):
            return False
        for expr in surface_walk.expressions(function.body):
            for e in surface_walk.walk(expr):
                match e:
                    case s.Call(callee=callee) if callee.in_system_header and isinstance(callee.result, Pointer):
                        return False  # it may allocate
                    case s.Cast(operand=operand, type=Pointer(const=False)):
                        if isinstance(operand.type, Pointer) and operand.type.const:
                            return False
                    case _:
                        pass
    return True


def given_to_write(symbol: FunctionSymbol) -> Written:
    """The parameters behind which there is memory that a function may write."""
    parameters = enumerate(symbol.parameters)
    return frozenset(i for i, t in parameters if isinstance(t, Pointer | Reference) and not t.const)


def _is_plain(type: Type) -> bool:
    """Whether a pointer or reference leads to numbers, or to objects that are made of numbers."""
    inner = type.pointee if isinstance(type, Pointer) else strip_reference(type)
    return not isinstance(inner, Array) and comes_apart(inner)


class _Scan:
    """One look at a function with what is known of the others; those that it meets first are `new`."""

    def __init__(
        self,
        function: s.Function,
        functions: Mapping[FunctionSymbol, s.Function],
        found: dict[FunctionSymbol, Written],
    ) -> None:
        self.functions = functions
        self.found = found
        self.new = False
        self.body = function.body
        self.positions: dict[Symbol, int] = {p: i for i, p in enumerate(function.parameters)}
        self.sources: dict[Symbol, list[s.Expr]] = {}  # what pointers and references are made of, or assigned
        self.exposed: set[Symbol] = set()  # pointers whose own address is taken: they may lead anywhere
        self.visiting: list[Symbol] = []

    def run(self) -> Written:
        every = [e for expr in surface_walk.expressions(self.body) for e in surface_walk.walk(expr)]
        self._find_sources(every)
        written: set[int] = set()
        for e in every:
            match e:
                case s.Assign(target=target) | s.CompoundAssign(target=target) | s.IncDec(target=target):
                    written |= self._lvalue(target)
                case s.Call(callee=callee, arguments=arguments):
                    written |= self._call(callee, arguments)
                case s.Construct(constructor=callee, arguments=arguments):
                    written |= self._call(callee, (None, *arguments))
                case _:
                    pass
        return frozenset(written)

    def _find_sources(self, every: list[s.Expr]) -> None:
        for declared in surface_walk.declarations(self.body):
            if declared.init is not None:
                self.sources.setdefault(declared.symbol, []).append(declared.init)
                if isinstance(declared.symbol.type, Reference):
                    self.exposed.update(scan.lvalue_symbols(declared.init))
        for e in every:
            match e:
                case s.Assign(target=target, value=value):
                    for symbol in scan.lvalue_symbols(target):
                        if isinstance(symbol.type, Pointer):
                            self.sources.setdefault(symbol, []).append(value)
                case s.AddressOf(operand=operand):
                    self.exposed.update(scan.lvalue_symbols(operand))
                case s.Call(callee=callee, arguments=arguments) | s.Construct(constructor=callee, arguments=arguments):
                    for type, argument in zip(callee.parameters[isinstance(e, s.Construct) :], arguments, strict=False):
                        if isinstance(type, Reference):
                            self.exposed.update(scan.lvalue_symbols(argument))
                case _:
                    pass

    def _call(self, callee: FunctionSymbol, arguments: tuple[s.Expr | None, ...]) -> Written:
        """What a call writes; the argument None is an object of the function's own."""
        if callee in self.functions:
            if callee not in self.found:
                self.found[callee] = frozenset()
                self.new = True
            through = self.found[callee]
        elif isinstance(row := known.of(callee.name), known.Effect | known.Barrier | known.Collective):
            return frozenset({EFFECT})  # where threads meet, all of them must come
        elif isinstance(row, known.Atomic):
            return frozenset({ATOMIC})
        else:  # a function of a library writes what it is given to write to
            through = frozenset(
                i for i, t in enumerate(callee.parameters) if isinstance(t, Pointer | Reference) and not t.const
            )
        outside = {OUTSIDE, EFFECT, ATOMIC}
        written = outside & through
        for i in through - outside:
            argument = arguments[i] if i < len(arguments) else None
            if argument is None:
                continue
            by_reference = isinstance(callee.parameters[i], Reference)
            written |= self._lvalue(argument) if by_reference else self._pointer(argument)
        return frozenset(written)

    def _variable(self, symbol: Symbol, through: Callable[[s.Expr], Written]) -> Written:
        """Where a pointer or reference may lead: what it was given, and whatever it was made of or assigned."""
        if symbol in self.visiting:
            return frozenset()
        known = symbol in self.positions or symbol in self.sources
        if symbol.role is Role.GLOBAL or not known:
            return frozenset({OUTSIDE})
        found = {self.positions[symbol]} if symbol in self.positions else set()
        self.visiting.append(symbol)
        for source in self.sources.get(symbol, ()):
            found |= through(source)
        self.visiting.pop()
        return frozenset(found)

    def _lvalue(self, expr: s.Expr) -> Written:
        """Through what an lvalue is reached; nothing where it is the function's own."""
        match expr:
            case s.VarRef(symbol=symbol):
                if symbol.role is Role.GLOBAL:
                    return frozenset({OUTSIDE})
                if isinstance(symbol.type, Reference):
                    return self._variable(symbol, self._lvalue)
                return frozenset()
            case s.Index(base=base):
                return self._pointer(base)
            case s.Deref(operand=operand):
                return self._pointer(operand)
            case s.Member(base=base, field=field):
                return frozenset({OUTSIDE}) if isinstance(field.type, Reference) else self._lvalue(base)
            case s.Conditional(then=then, other=other):
                return self._lvalue(then) | self._lvalue(other)
            case s.Comma(right=right):
                return self._lvalue(right)
            case s.Assign(target=target) | s.CompoundAssign(target=target) | s.IncDec(target=target):
                return self._lvalue(target)
            case s.Call() if is_lvalue(expr):
                return frozenset({OUTSIDE})
            case _:  # temporaries, and objects that are made
                return frozenset()

    def _pointer(self, expr: s.Expr) -> Written:
        """Through what the memory behind a pointer is reached."""
        match expr:
            case s.VarRef(symbol=symbol, type=Array()):
                return frozenset({OUTSIDE}) if symbol.role is Role.GLOBAL else self._lvalue(expr)
            case s.VarRef(symbol=symbol) if isinstance(symbol.type, Pointer) and symbol not in self.exposed:
                return self._variable(symbol, self._pointer)
            case s.AddressOf(operand=operand):
                return self._lvalue(operand)
            case s.Conditional(then=then, other=other):
                return self._pointer(then) | self._pointer(other)
            case s.IncDec(target=target) | s.CompoundAssign(target=target):
                return self._pointer(target)
            case s.Literal():  # a null pointer
                return frozenset()
            case s.Member(type=Array()) | s.Index(type=Array()) | s.Deref(type=Array()):
                return self._lvalue(expr)
            case s.Cast(operand=operand) if isinstance(operand.type, Array | Pointer):
                return self._pointer(operand)
            case s.Binary(left=left):
                return self._pointer(left)
            case _:
                return frozenset({OUTSIDE})
