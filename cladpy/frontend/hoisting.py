"""Calls that are taken out of the expression that they stand in, as a statement before it.

Where C++ says what comes first, as in `i++, f(i)`, or where it leaves that open and it would matter, they stay where
they are (`Unordered`): what is left of the expression must not do anything, but for the assignment that it is, and must
not read what a call that was taken out may have written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from cladpy.ir import surface as s
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import Pointer, Reference, Struct, Type


@dataclass(frozen=True, slots=True)
class Hoisted:
    """A call that was taken out: what it is given, and whether it may write what is read elsewhere."""

    arguments: tuple[s.Expr, ...]
    writes: bool

    @classmethod
    def of(cls, call: s.Call, own: int) -> Hoisted:
        """The last `own` arguments are variables of ours."""
        count = len(call.arguments) - own
        return cls(call.arguments[:count], any(_leads_out(t) for t in call.callee.parameters[:count]))


class Unordered(Exception):
    """A call cannot be taken out of its expression."""


def check_order(statements: list[s.Stmt], calls: list[Hoisted], made: set[Symbol]) -> None:
    """Raises Unordered. `made` are the variables that hold what the calls gave."""
    writes = False
    for call in calls:
        for argument in call.arguments:
            _check(argument, writes, made)
        writes = writes or call.writes
    for statement in statements:
        match statement:
            case s.Evaluate(s.Assign(_, value) | s.CompoundAssign(value=value)):
                _check(value, writes, made)
            case s.Evaluate(expr) | s.Declare(init=expr) | s.Return(expr):
                if expr is not None:
                    _check(expr, writes, made)
            case _:
                raise Unordered


def check_expression(expr: s.Expr, calls: list[Hoisted], made: set[Symbol]) -> None:
    check_order([], calls, made)
    _check(expr, any(c.writes for c in calls), made)


def _check(expr: s.Expr, written: bool, made: set[Symbol]) -> None:
    for part in _parts(expr):
        match part:
            case s.Assign() | s.CompoundAssign() | s.IncDec() | s.Comma() | s.Unsupported():
                raise Unordered
            case s.Call() if part.launch is not None or _may_write(part):
                raise Unordered
            case s.VarRef(symbol) if written and symbol not in made and not symbol.const:
                raise Unordered
            case _:
                pass


def _may_write(call: s.Call) -> bool:
    return any(_leads_out(t) for t in call.callee.parameters)


def _leads_out(type: Type) -> bool:
    """Whether a parameter leads to what the function may write: closures hold references."""
    target = type.pointee if isinstance(type, Pointer) else type.referee if isinstance(type, Reference) else None
    if target is None:
        return isinstance(type, Struct)
    closure = isinstance(target, Struct) and target.record.is_lambda
    assert isinstance(type, Pointer | Reference)
    return not type.const or closure


def _parts(expr: s.Expr) -> Iterator[s.Expr]:
    waiting: list[object] = [expr]
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple):
            waiting += here
        elif isinstance(here, s.Expr) and is_dataclass(here):
            yield here
            waiting += [getattr(here, f.name) for f in fields(here)]
