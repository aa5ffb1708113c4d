"""What becomes of a variable first, where statements run: whether what it held before can be read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import Symbol

READ, WRITTEN = "read", "written"


def within(statement: s.Stmt) -> Iterator[s.Stmt]:
    """A statement and all that it is made of."""
    stack = [statement]
    while stack:
        here = stack.pop()
        yield here
        stack += surface_walk.inner_statements(here)


def names(expr: s.Expr, symbols: Collection[Symbol]) -> bool:
    """Whether an expression names one of the variables."""
    return any(isinstance(e, s.VarRef) and e.symbol in symbols for e in surface_walk.walk(expr))


def is_written_first(body: s.Block, symbol: Symbol) -> bool:
    """Whether an iteration begins with giving a variable a value, as far as it names it."""
    return first_use(body.statements, symbol) is WRITTEN


READ, WRITTEN = "read", "written"


def first_use(statements: Iterable[s.Stmt], symbol: Symbol) -> str | None:
    """What becomes of a variable first, where these statements run: None where nothing does. What is not known to give
    it a value reads it."""
    for statement in statements:
        use = _use(statement, symbol)
        if use is not None:
            return use
    return None


def _use(statement: s.Stmt, symbol: Symbol) -> str | None:
    if not any(names(e, {symbol}) for e in surface_walk.expressions(statement)):
        return None
    match statement:
        case s.Evaluate(expr=expr):
            return _evaluated(expr, symbol)
        case s.Block(statements=inner):
            return first_use(inner, symbol)
        case s.If(condition=condition, then=then, other=other) if not names(condition, {symbol}):
            uses = {_use(then, symbol), None if other is None else _use(other, symbol)}
            return READ if READ in uses else WRITTEN if uses == {WRITTEN} else None
        case s.For(init=init, body=body):
            return first_use(init, symbol) or (READ if _is_tested(statement, symbol) else _unless_written(body, symbol))
        case s.While(body=body) if not _is_tested(statement, symbol):
            return _unless_written(body, symbol)
        case _:
            return READ


def _evaluated(expr: s.Expr, symbol: Symbol) -> str | None:
    match expr:
        case s.Comma(left=left, right=right):
            return _evaluated(left, symbol) or _evaluated(right, symbol)
        case s.Assign(target=s.VarRef(symbol=written), value=value) if written is symbol:
            return READ if names(value, {symbol}) else WRITTEN
        case _:
            return READ if names(expr, {symbol}) else None


def _unless_written(body: s.Block, symbol: Symbol) -> str | None:
    """The use of what may not run at all."""
    return None if _use(body, symbol) is WRITTEN else _use(body, symbol)


def _is_tested(loop: s.For | s.While | s.DoWhile, symbol: Symbol) -> bool:
    """Whether what stands in a loop's head, and is evaluated again, names the variable."""
    tested = [loop.step, loop.condition] if isinstance(loop, s.For) else [loop.condition]
    return any(e is not None and names(e, {symbol}) for e in tested)


def uses_after(around: s.Stmt, loop: s.Stmt, symbol: Symbol) -> Iterator[str]:
    """What becomes of a variable after a loop, first of all: on each way that leads on from there. Nothing is said of
    what is outside of `around`."""
    yield from _on(around, loop, symbol)[1]


def _on(around: s.Stmt, loop: s.Stmt, symbol: Symbol) -> tuple[bool, list[str]]:
    """Whether the loop is in this statement, and not every way out of that has come to a use; and the uses."""
    if around is loop:
        return True, []
    for part in _parts(around):
        for i, inner in enumerate(part):
            if not _holds_statement(inner, loop):
                continue
            goes_on, uses = _on(inner, loop, symbol)
            if goes_on:
                use = first_use(part[i + 1 :], symbol)
                if use is not None:
                    leaves = any(isinstance(here, s.Break | s.Continue) for st in part[i + 1 :] for here in within(st))
                    goes_on, uses = leaves, [*uses, use]
            if goes_on and isinstance(around, s.For | s.While | s.DoWhile):
                again = _again(around, symbol)
                uses = uses if again is None else [*uses, again]
            return goes_on, uses
    return False, []


def _again(loop: s.For | s.While | s.DoWhile, symbol: Symbol) -> str | None:
    """The first use in another iteration."""
    return READ if _is_tested(loop, symbol) else _use(loop.body, symbol)


def _parts(statement: s.Stmt) -> list[tuple[s.Stmt, ...]]:
    """The rows of statements that a statement is made of."""
    match statement:
        case s.Block(statements=inner):
            return [inner]
        case s.If(then=then, other=other):
            return [(then,)] if other is None else [(then,), (other,)]
        case s.For(body=body) | s.While(body=body) | s.DoWhile(body=body):
            return [(body,)]
        case s.Switch(sections=sections):
            return [tuple(inner for section in sections for inner in section.body)]
        case _:
            return []


def _holds_statement(around: s.Stmt, wanted: s.Stmt) -> bool:
    return any(here is wanted for here in within(around))
