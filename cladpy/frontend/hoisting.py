"""Calls that are taken out of the expression that they stand in, as a statement before it.

Where C++ says what comes first, as in `i++, f(i)`, or where it leaves that open and it would matter, they stay where
they are (`Unordered`): what is left of the expression must not do anything, but for the assignment that it is, and must
not read what a call that was taken out may have written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from cladpy.ir.surface import (
    Assign,
    Call,
    Comma,
    CompoundAssign,
    Declare,
    Evaluate,
    Expr,
    IncDec,
    Return,
    Stmt,
    Unsupported,
    VarRef,
)
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import Pointer, Reference, Struct, Type


@dataclass(frozen=True, slots=True)
class Hoisted:
    """A call that was taken out: what it is given, and whether it may write what is read elsewhere."""

    arguments: tuple[Expr, ...]
    writes: bool

    @classmethod
    def of(cls, call: Call, own: int) -> Hoisted:
        """The last `own` arguments are variables of ours."""
        count = len(call.arguments) - own
        return cls(call.arguments[:count], any(_leads_out(t) for t in call.callee.parameters[:count]))


class Unordered(Exception):
    """A call cannot be taken out of its expression."""


def check_order(statements: list[Stmt], calls: list[Hoisted], made: set[Symbol]) -> None:
    """Raises Unordered. `made` are the variables that hold what the calls gave."""
    writes = False
    for call in calls:
        for argument in call.arguments:
            _check(argument, writes, made)
        writes = writes or call.writes
    for statement in statements:
        match statement:
            case Evaluate(Assign(_, value) | CompoundAssign(value=value)):
                _check(value, writes, made)
            case Evaluate(expr) | Declare(init=expr) | Return(expr):
                if expr is not None:
                    _check(expr, writes, made)
            case _:
                raise Unordered


def check_expression(expr: Expr, calls: list[Hoisted], made: set[Symbol]) -> None:
    check_order([], calls, made)
    _check(expr, any(c.writes for c in calls), made)


def _check(expr: Expr, written: bool, made: set[Symbol]) -> None:
    for part in _parts(expr):
        match part:
            case Assign() | CompoundAssign() | IncDec() | Comma() | Unsupported():
                raise Unordered
            case Call() if part.launch is not None or _may_write(part):
                raise Unordered
            case VarRef(symbol) if written and symbol not in made and not symbol.const:
                raise Unordered
            case _:
                pass


def _may_write(call: Call) -> bool:
    return any(_leads_out(t) for t in call.callee.parameters)


def _leads_out(type: Type) -> bool:
    """Whether a parameter leads to what the function may write: closures hold references."""
    target = type.pointee if isinstance(type, Pointer) else type.referee if isinstance(type, Reference) else None
    if target is None:
        return isinstance(type, Struct)
    closure = isinstance(target, Struct) and target.record.is_lambda
    assert isinstance(type, Pointer | Reference)
    return not type.const or closure


def _parts(expr: Expr) -> Iterator[Expr]:
    waiting: list[object] = [expr]
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple):
            waiting += here
        elif isinstance(here, Expr) and is_dataclass(here):
            yield here
            waiting += [getattr(here, f.name) for f in fields(here)]
