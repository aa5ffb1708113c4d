"""What an integer that differs between threads does not exceed, where the host can tell from what it launches with: a
thread's number is below its extent, a remainder below its divisor, the smaller of two no larger than either.

Bounds are longs. What a thread computes in a narrower type, and does not overflow, stays below them; what wraps around
in an unsigned type is smaller than what it would be, but for differences, of which nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from cladpy.analysis.affine import VARYING
from cladpy.analysis.dimensions import INDICES
from cladpy.analysis.shifts import is_positive
from cladpy.ir import core
from cladpy.ir.fold import binary, cast
from cladpy.ir.names import through_names
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, INT, LONG, UINT, is_integer, is_signed, size_of
from cladpy.ir.walk import statements

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep

_SMALLER = frozenset(("min", "std::min", "umin", "cuda::std::min"))
_BELOW = (BinaryOp.LT, BinaryOp.LE)
_MIRRORED = {BinaryOp.GT: BinaryOp.LT, BinaryOp.GE: BinaryOp.LE}
_ONE = core.Const(1, LONG)


class Bounds:
    """`known` gives an expression in terms of what the host knows, or None."""

    def __init__(self, sweep: Sweep, known: Callable[[core.Expr], core.Expr | None]) -> None:
        self.sweep = sweep
        self.known = known
        self._found: dict[core.Value, core.Expr | None] = {}

    def above(self, expr: core.Expr) -> core.Expr | None:
        """A long in terms of what the host knows that an integer never exceeds."""
        if not is_integer(expr.type) or expr.type == BOOL:
            return None
        if (known := self.known(expr)) is not None:
            return cast(known, LONG)
        match expr:
            case core.Use(value):
                return self._of_value(value)
            case core.Builtin(var) if var in VARYING:
                extent = INDICES.get(var)
                return None if extent is None else _less_one(core.Builtin(extent, UINT))
            case core.Cast(operand, type):
                keeps_sign = is_signed(type) or not is_signed(operand.type)  # else it may be a large number
                safe = keeps_sign and size_of(type) >= size_of(operand.type)
                return self.above(operand) if safe or self.is_not_negative(operand) else None
            case core.Select(condition, then, other):
                return self._chosen(condition, then, other)
            case core.Math(callee, (left, right)) if callee.qualified_name in _SMALLER:
                return self._smaller(left, right)
            case core.Binary(op, left, right):
                return self._operated(op, left, right, signed=is_signed(expr.type))
            case _:
                return None

    def is_not_negative(self, expr: core.Expr) -> bool:
        """Whether an integer is made of thread's and block's numbers, extents, constants and rising counters so that it
        is never below zero."""
        return _is_not_negative(expr, self._names)

    def _may_be_below_zero(self, expr: core.Expr) -> bool:
        """Whether an unsigned operand may stand for a negative number, whose bound would be some thousand millions."""
        if isinstance(expr, core.Const):
            return int(expr.value) >> (8 * size_of(expr.type) - 1) != 0
        return not self.is_not_negative(expr)

    def _of_value(self, value: core.Value) -> core.Expr | None:
        if value not in self._found:
            self._found[value] = None  # it is not made of itself
            self._found[value] = self._made_of(value)
        return self._found[value]

    def _made_of(self, value: core.Value) -> core.Expr | None:
        if value in self.sweep.lets:
            return self.above(self.sweep.lets[value])
        if value in self._merges:
            condition, merge = self._merges[value]
            return self._chosen(condition, merge.then, merge.other)
        if (loop := self._counters.get(value)) is not None and not self.sweep.needs.store_all:
            return self._of_counter(value, loop)
        return None

    def _of_counter(self, value: core.Value, loop: core.Loop) -> core.Expr | None:
        """A counter is below what the loop around asks it to be below."""
        match loop.condition:
            case core.Binary(op, core.Use(counter), limit) if counter is value and op in _BELOW:
                pass
            case core.Binary(above, limit, core.Use(counter)) if counter is value and above in _MIRRORED:
                op = _MIRRORED[above]
            case _:
                return None
        most = self.above(limit)
        return most if most is None or op is BinaryOp.LE else binary(BinaryOp.SUB, most, _ONE, LONG)

    def _operated(self, op: BinaryOp, left: core.Expr, right: core.Expr, *, signed: bool) -> core.Expr | None:
        match op:
            case BinaryOp.REM:
                divisor = self.known(right)
                positive = is_positive(right, self.sweep.lets)
                return None if divisor is None else _less_one(_magnitude(divisor, positive))
            case BinaryOp.BIT_AND:
                masks = [m for m in (right, left) if (isinstance(m, core.Const) and m.value >= 0) or not signed]
                return next((most for m in masks if (most := self.above(m)) is not None), None)
            case BinaryOp.DIV | BinaryOp.SHR if isinstance(right, core.Const) and right.value > 0:
                most = self.above(left)
                return None if most is None else binary(op, most, cast(right, LONG), LONG)
            case BinaryOp.SUB if signed and self.is_not_negative(right):
                most, least = self.above(left), self.known(right)
                return most if most is None or least is None else binary(op, most, cast(least, LONG), LONG)
            case BinaryOp.ADD if signed or not any(map(self._may_be_below_zero, (left, right))):
                return self._both(op, left, right)
            case BinaryOp.MUL if _fits(left, right) and all(map(self.is_not_negative, (left, right))):
                return self._both(op, left, right)
            case _:
                return None

    def _both(self, op: BinaryOp, left: core.Expr, right: core.Expr) -> core.Expr | None:
        a, b = self.above(left), self.above(right)
        return None if a is None or b is None else binary(op, a, b, LONG)

    def _chosen(self, condition: core.Expr, then: core.Expr, other: core.Expr) -> core.Expr | None:
        match condition:
            case core.Binary(op, left, right) if op in _BELOW and (left, right) == (then, other):
                return self._smaller(then, other)
            case core.Binary(op, left, right) if op in _MIRRORED and (left, right) == (other, then):
                return self._smaller(then, other)
            case _:
                return self._larger(then, other)

    def _smaller(self, left: core.Expr, right: core.Expr) -> core.Expr | None:
        a, b = self.above(left), self.above(right)
        if a is None or b is None:
            return b if a is None else a
        return core.Select(core.Binary(BinaryOp.LT, a, b, BOOL), a, b, LONG)

    def _larger(self, left: core.Expr, right: core.Expr) -> core.Expr | None:
        a, b = self.above(left), self.above(right)
        if a is None or b is None or a == b:
            return a if b is not None else None
        return core.Select(core.Binary(BinaryOp.GT, a, b, BOOL), a, b, LONG)

    @cached_property
    def _names(self) -> Mapping[core.Value, core.Expr]:
        """What values stand for; counters that rise from where they are not negative, for zero."""
        lets = self.sweep.lets
        return {
            **lets,
            **{
                value: core.Const(0, value.type)
                for tape in self.sweep.tapes.values()
                for value, steps in tape.facts.inductions.items()
                if steps.op is BinaryOp.ADD and is_positive(steps.step, lets) and _is_not_negative(steps.init, lets)
            },
        }

    @cached_property
    def _merges(self) -> dict[core.Value, tuple[core.Expr, core.Merge]]:
        branches = (s for s in statements(self.sweep.function.body) if isinstance(s, core.If))
        return {m.value: (s.condition, m) for s in branches for m in s.merges}

    @cached_property
    def _counters(self) -> dict[core.Value, core.Loop]:
        loops = (s for s in statements(self.sweep.function.body) if isinstance(s, core.Loop))
        return {c.value: s for s in loops for c in s.carried}


def _less_one(expr: core.Expr) -> core.Expr:
    return binary(BinaryOp.SUB, cast(expr, LONG), _ONE, LONG)


def _magnitude(divisor: core.Expr, positive: bool) -> core.Expr:
    wide = cast(divisor, LONG)
    if positive or not is_signed(divisor.type):
        return wide
    negated = core.Unary(UnaryOp.NEG, wide, LONG)
    return core.Select(core.Binary(BinaryOp.LT, wide, core.Const(0, LONG), BOOL), negated, wide, LONG)


def _fits(left: core.Expr, right: core.Expr) -> bool:
    """Whether a long holds the product of what two integers do not exceed."""
    sizes = [0 if isinstance(e, core.Const) else size_of(e.type) for e in (left, right)]
    return 0 in sizes or max(sizes) <= size_of(INT)


@through_names
def _is_not_negative(expr: core.Expr, again: Callable[[core.Expr], bool]) -> bool:
    match expr:
        case core.Const(value):
            return value >= 0
        case core.Builtin():
            return True
        case core.Cast(operand):
            return is_integer(operand.type) and size_of(expr.type) >= size_of(INT) and again(operand)
        case core.Binary(BinaryOp.ADD | BinaryOp.MUL | BinaryOp.DIV | BinaryOp.REM, left, right):
            return again(left) and again(right)
        case _:
            return False
