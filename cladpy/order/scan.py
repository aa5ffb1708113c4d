"""What can be seen of surface statements as they are: which variables a loop assigns, where control jumps."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from cladpy import derivatives
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import FunctionSymbol, Role, Symbol
from cladpy.ir.types import Array, Opaque, Reference, Struct, is_floating, is_integer, size_of
from cladpy.ir.types import Pointer as PointerType


def lvalue_symbols(expr: s.Expr) -> Iterator[Symbol]:
    """The variables that an lvalue expression may stand for directly (not through a pointer)."""
    match expr:
        case s.VarRef(symbol=symbol):
            yield symbol
        case s.Conditional(then=a, other=b):
            yield from lvalue_symbols(a)
            yield from lvalue_symbols(b)
        case s.Comma(right=b):
            yield from lvalue_symbols(b)
        case s.Assign(target=a) | s.CompoundAssign(target=a) | s.IncDec(target=a) | s.Cast(operand=a):
            yield from lvalue_symbols(a)
        case s.Member(base=a, field=field) if not isinstance(field.type, Reference):
            yield from lvalue_symbols(a)
        case s.Index(base=a) if isinstance(a.type, Array):
            yield from lvalue_symbols(a)
        case _:
            pass


class Assigned:
    """The variables that statements or expressions may assign. `indirect` says that something may be assigned through
    a pointer or reference too: then every variable whose address is known anywhere counts as assigned."""

    def __init__(self) -> None:
        self.symbols: dict[Symbol, None] = {}  # in order of appearance, for deterministic output
        self.indirect = False

    def add_statement(self, statement: s.Stmt) -> None:
        # a member that is a reference is bound by a constructor, which stands in no loop, and is no function by itself
        for expr in surface_walk.expressions(statement):
            self.add_expression(expr)
        for declaration in surface_walk.declarations(statement):
            if isinstance(declaration.symbol.type, Reference) and declaration.init is not None:
                self._add_lvalue(declaration.init)

    def add_expression(self, expr: s.Expr) -> None:
        for e in surface_walk.walk(expr):
            match e:
                case s.Assign(target=target) | s.CompoundAssign(target=target) | s.IncDec(target=target):
                    self._add_lvalue(target)
                case s.AddressOf(operand=operand):
                    self._add_lvalue(operand)
                case s.Call(callee=callee, arguments=arguments) | s.Construct(constructor=callee, arguments=arguments):
                    parameters = callee.parameters[isinstance(e, s.Construct) :]
                    for type, argument in zip(parameters, arguments, strict=False):
                        if isinstance(type, Reference):
                            self._add_lvalue(argument)
                        if isinstance(type, Reference | PointerType):
                            self.indirect = True
                case _:
                    pass

    def _add_lvalue(self, target: s.Expr) -> None:
        direct = list(lvalue_symbols(target))
        for symbol in direct:
            self.symbols.setdefault(symbol)
            if isinstance(symbol.type, Reference):
                self.indirect = True
        if not direct:
            self.indirect = True


class Jump(Enum):
    BREAK = "break"
    CONTINUE = "continue"
    RETURN = "return"


class Jumps:
    """The ways in which control may leave a statement other than by reaching its end; each statement is looked at once,
    since this is asked of every one in a nest."""

    def __init__(self) -> None:
        self._known: dict[
            int, tuple[s.Stmt, frozenset[Jump]]
        ] = {}  # by identity; held, so that no other takes its place

    def __call__(self, statement: s.Stmt) -> frozenset[Jump]:
        match statement:
            case s.Return():
                return frozenset({Jump.RETURN})
            case s.Break():
                return frozenset({Jump.BREAK})
            case s.Continue():
                return frozenset({Jump.CONTINUE})
        known = self._known.get(id(statement))
        if known is not None:
            return known[1]
        inner = frozenset[Jump]().union(*map(self, surface_walk.inner_statements(statement)))
        match statement:
            case s.For() | s.While() | s.DoWhile():
                inner -= {Jump.BREAK, Jump.CONTINUE}
            case s.Switch():
                inner -= {Jump.BREAK}
        self._known[id(statement)] = (statement, inner)
        return inner


def jumps(statement: s.Stmt) -> frozenset[Jump]:
    """The ways in which control may leave a statement other than by reaching its end."""
    return Jumps()(statement)


def always_jumps(statement: s.Stmt) -> bool:
    """Whether control never reaches the end of the statement."""
    match statement:
        case s.Return() | s.Break() | s.Continue():
            return True
        case s.Block(statements=inner):
            return any(always_jumps(i) for i in inner)
        case s.If(then=then, other=other):
            return other is not None and always_jumps(then) and always_jumps(other)
        case _:
            return False


def once(statement: s.Stmt) -> s.Stmt:
    """`do { ... } while (0)`, which macros are wrapped in, as the block that it is."""
    match statement:
        case s.DoWhile(body=body, condition=s.Literal(value=again)) if not again and jumps(body) <= {Jump.RETURN}:
            return body
        case _:
            return statement


def called(expr: s.Expr) -> FunctionSymbol | None:
    """The function that an expression itself calls."""
    match expr:
        case s.Call(callee=callee) | s.Construct(constructor=callee):
            return callee
        case _:
            return None


def globals_of(function: s.Function) -> list[Symbol]:
    """The variables at namespace scope that a function names, each once, in order."""
    found: dict[Symbol, None] = {}
    for expr in surface_walk.expressions(function.body):
        for e in surface_walk.walk(expr):
            if isinstance(e, s.VarRef) and e.symbol.role is Role.GLOBAL and not isinstance(e.type, Opaque):
                found.setdefault(e.symbol)
    return list(found)


def callees(function: s.Function) -> list[FunctionSymbol]:
    """The functions that a function calls, each once, in order."""
    found: dict[FunctionSymbol, None] = {}
    for expr in surface_walk.expressions(function.body):
        for e in surface_walk.walk(expr):
            callee = called(e)
            if callee is not None:
                found.setdefault(callee)
    return list(found)


def takes_bits(function: s.Function) -> bool:
    """Whether a function takes floating-point numbers for their bits: by name, through a pointer to integers of their
    size, or by a member of a union."""
    return any(_takes_bits(e) for expr in surface_walk.expressions(function.body) for e in surface_walk.walk(expr))


def _takes_bits(expr: s.Expr) -> bool:
    match expr:
        case s.Cast(operand, PointerType(to)) if isinstance(operand.type, PointerType) and is_integer(to):
            numbers = operand.type.pointee
            return is_floating(numbers) and size_of(numbers) == size_of(to)
        case s.Member(base, field) if isinstance(base.type, Struct) and base.type.record.is_union:
            return is_integer(field.type) and any(is_floating(f.type) for f in base.type.fields)
        case _:
            callee = called(expr)
            return callee is not None and derivatives.is_bit_cast(callee.qualified_name)


def compares(function: s.Function) -> tuple[bool, bool]:
    """Whether a function compares floating-point numbers, and whether by functions that have a kink where they are
    equal."""
    found = [e for expr in surface_walk.expressions(function.body) for e in surface_walk.walk(expr)]
    calls = [e for e in found if isinstance(e, s.Call)]
    branches = any(isinstance(e, s.Binary) and e.op in s.COMPARISONS and is_floating(e.left.type) for e in found)
    branches |= any(derivatives.compares_halves(e.callee.name) for e in calls)
    return branches, any(derivatives.has_kinks(e.callee.qualified_name, len(e.arguments)) for e in calls)


def size(function: s.Function) -> int:
    """How many expression nodes a body has: the measure for inlining."""
    return sum(1 for expr in surface_walk.expressions(function.body) for _ in surface_walk.walk(expr))
