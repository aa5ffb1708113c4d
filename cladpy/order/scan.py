"""What can be seen of surface statements as they are: which variables a loop assigns, where control jumps."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from cladpy import derivatives
from cladpy.ir import surface as s
from cladpy.ir.never import assert_never
from cladpy.ir.symbols import FAIL, FREE_MEMORY, NANOSECONDS, FunctionSymbol, Role, Symbol
from cladpy.ir.types import Array, Opaque, Reference, Struct, is_floating, is_integer, size_of
from cladpy.ir.types import Pointer as PointerType


def children(expr: s.Expr) -> tuple[s.Expr, ...]:
    match expr:
        case s.Literal() | s.StringLiteral() | s.VarRef() | s.Builtin():
            return ()
        case s.Unsupported(operands=operands):
            return operands or ()
        case s.Unary(operand=e) | s.Cast(operand=e) | s.Deref(operand=e) | s.AddressOf(operand=e):
            return (e,)
        case s.Binary(left=a, right=b) | s.Comma(left=a, right=b):
            return (a, b)
        case s.Assign(target=a, value=b) | s.CompoundAssign(target=a, value=b) | s.Index(base=a, index=b):
            return (a, b)
        case s.IncDec(target=a):
            return (a,)
        case s.Conditional(condition=a, then=b, other=c):
            return (a, b, c)
        case s.Call(arguments=arguments, launch=launch):
            return arguments if launch is None else (*launch.expressions, *arguments)
        case s.Construct(arguments=arguments):
            return arguments
        case s.Member(base=e) | s.Temporary(operand=e):
            return (e,)
        case s.InitList(elements=elements):
            return elements
        case _:
            assert_never(expr)


def expressions(statement: s.Stmt) -> Iterator[s.Expr]:
    """The expressions directly in a statement and in all statements within."""
    stack: list[s.Stmt] = [statement]
    while stack:
        match stack.pop():
            case s.Declare(init=init):
                if init is not None:
                    yield init
            case s.Evaluate(expr=expr):
                yield expr
            case s.Bind(base=base, referred=referred):
                yield base
                yield referred
            case s.If(condition=c, then=then, other=other):
                yield c
                stack.append(then)
                if other is not None:
                    stack.append(other)
            case s.For(init=first, condition=test, step=step, body=body):
                if test is not None:
                    yield test
                if step is not None:
                    yield step
                stack += [*first, body]
            case s.While(condition=c, body=body) | s.DoWhile(body=body, condition=c):
                yield c
                stack.append(body)
            case s.Switch(value=v, sections=sections):
                yield v
                for section in sections:
                    stack += section.body
            case s.Return(value=value):
                if value is not None:
                    yield value
            case s.Block(statements=inner):
                stack += inner
            case s.Break() | s.Continue():
                pass
            case other_statement:
                assert_never(other_statement)


def declarations(statement: s.Stmt) -> Iterator[s.Declare]:
    stack: list[s.Stmt] = [statement]
    while stack:
        here = stack.pop()
        if isinstance(here, s.Declare):
            yield here
        stack += inner_statements(here)


def returns(statement: s.Stmt) -> Iterator[s.Return]:
    """The return statements of a function's body."""
    stack: list[s.Stmt] = [statement]
    while stack:
        here = stack.pop()
        if isinstance(here, s.Return):
            yield here
        stack += inner_statements(here)


def inner_statements(statement: s.Stmt) -> tuple[s.Stmt, ...]:
    match statement:
        case s.If(then=then, other=other):
            return (then,) if other is None else (then, other)
        case s.For(init=first, body=body):
            return (*first, body)
        case s.While(body=body) | s.DoWhile(body=body):
            return (body,)
        case s.Switch(sections=sections):
            return tuple(inner for section in sections for inner in section.body)
        case s.Block(statements=inner):
            return inner
        case _:
            return ()


def walk(expr: s.Expr) -> Iterator[s.Expr]:
    stack = [expr]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(children(here))


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
        for expr in expressions(statement):
            self.add_expression(expr)
        for declaration in declarations(statement):
            if isinstance(declaration.symbol.type, Reference) and declaration.init is not None:
                self._add_lvalue(declaration.init)

    def add_expression(self, expr: s.Expr) -> None:
        for e in walk(expr):
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


NO_JUMPS: frozenset[Jump] = frozenset()


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
        inner = frozenset[Jump]().union(*map(self, inner_statements(statement)))
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


# What the threads of a block wait for each other at.
BARRIERS = frozenset({"__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"})
FENCES = frozenset({"__threadfence", "__threadfence_block", "__threadfence_system"})
# Calls that are carried out once per thread for their effect and give nothing.
EFFECTS = frozenset(
    {"printf", "vprintf", "puts", "putchar", "fprintf", "fputs", "fputc", "fflush", "perror", "srand", "srand48"}
    | {"__assert_fail", "__assertfail", FAIL.name, "__trap", "__brkpt", "__nanosleep"}
)
# What gives another number each time.
CLOCKS = frozenset({"clock", "clock64", NANOSECONDS.name, FREE_MEMORY.name, "rand", "random", "lrand48", "drand48"})
ATOMICS = frozenset(
    f"atomic{op}{scope}"
    for op in ("Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor")
    for scope in ("", "_block", "_system")
)


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
    for expr in expressions(function.body):
        for e in walk(expr):
            if isinstance(e, s.VarRef) and e.symbol.role is Role.GLOBAL and not isinstance(e.type, Opaque):
                found.setdefault(e.symbol)
    return list(found)


def callees(function: s.Function) -> list[FunctionSymbol]:
    """The functions that a function calls, each once, in order."""
    found: dict[FunctionSymbol, None] = {}
    for expr in expressions(function.body):
        for e in walk(expr):
            callee = called(e)
            if callee is not None:
                found.setdefault(callee)
    return list(found)


def takes_bits(function: s.Function) -> bool:
    """Whether a function takes floating-point numbers for their bits: by name, through a pointer to integers of their
    size, or by a member of a union."""
    return any(_takes_bits(e) for expr in expressions(function.body) for e in walk(expr))


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
    found = [e for expr in expressions(function.body) for e in walk(expr)]
    calls = [e for e in found if isinstance(e, s.Call)]
    branches = any(isinstance(e, s.Binary) and e.op in s.COMPARISONS and is_floating(e.left.type) for e in found)
    branches |= any(derivatives.compares_halves(e.callee.name) for e in calls)
    return branches, any(derivatives.has_kinks(e.callee.qualified_name, len(e.arguments)) for e in calls)


def size(function: s.Function) -> int:
    """How many expression nodes a body has: the measure for inlining."""
    return sum(1 for expr in expressions(function.body) for _ in walk(expr))


def own_expressions(statement: s.Stmt) -> tuple[s.Expr, ...]:
    """The expressions that stand in a statement itself; statements in it are looked at by themselves."""
    match statement:
        case s.Block():
            return ()
        case s.If(condition=condition) | s.While(condition=condition) | s.DoWhile(condition=condition):
            return (condition,)
        case s.For(condition=condition, step=step):
            return tuple(e for e in (condition, step) if e is not None)
        case s.Switch(value=value):
            return (value,)
        case _:
            return tuple(expressions(statement))
