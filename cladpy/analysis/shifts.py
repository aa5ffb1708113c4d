"""Loops whose variable is halved or doubled: `for (s = n / 2; s > 0; s >>= 1)`, `for (d = 1; d < n; d *= 2)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cladpy.ir import core
from cladpy.ir.fold import binary, cast
from cladpy.ir.names import Names, through_names
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import BOOL, INT, LONG, is_integer, is_signed, size_of

_MIRRORED = {BinaryOp.LT: BinaryOp.GT, BinaryOp.LE: BinaryOp.GE, BinaryOp.GT: BinaryOp.LT, BinaryOp.GE: BinaryOp.LE}


@dataclass(frozen=True, slots=True)
class Shifted:
    """The value is shifted by `amount` in each iteration. `count` is how often the loop runs, where that is all that it
    asks; it never runs more often than `most`."""

    op: BinaryOp
    amount: int
    count: core.Expr | None
    most: int


def shifted_loop(
    loop: core.Loop,
    carried: core.Carried,
    after: core.Binary,
    invariant: Callable[[core.Expr], bool],
    outer: Mapping[core.Value, core.Expr],
) -> Shifted | None:
    """`after` is what the value is in the next iteration. That the loop asks the value itself to stay above zero, or
    below a limit, is what keeps the shifts below the number of its bits."""
    value, type = carried.value, carried.value.type
    by = _shift(value, after)
    if by is None:
        return None
    op, amount = by
    conditions = conjuncts(loop.condition)
    above = is_not_negative(carried.init, outer) or not is_signed(type)
    limits = [limit for c in conditions if (limit := _limit(c, value, op, above)) is not None and invariant(limit)]
    if not limits:
        return None
    limit = limits[0]
    bits = 8 * size_of(type)
    if op is BinaryOp.SHR:
        if not is_not_negative(limit, outer):
            return None
        function = "halvings"
    else:
        if not is_positive(carried.init, outer) or bits > 32:
            return None
        function = "doublings"
    most = -(-bits // amount)
    fits = bits < 64 or is_signed(type)  # in a long, which counts
    whole = len(conditions) == 1 and not loop.before and fits
    return Shifted(op, amount, _count(function, carried.init, amount, limit, loop) if whole else None, most)


def shift_beside(value: core.Value, after: core.Binary, most: int) -> tuple[BinaryOp, int] | None:
    """The shift of a value that a loop does not ask, which runs so many times at most. All shifts together are one,
    of fewer bits than the value has."""
    by = _shift(value, after)
    if by is None or (most - 1) * by[1] >= 8 * size_of(value.type):
        return None
    rounds_to_zero = after.op is BinaryOp.DIV and is_signed(value.type)  # a shift does not
    return None if rounds_to_zero else by


def _count(function: str, init: core.Expr, amount: int, limit: core.Expr, loop: core.Loop) -> core.Expr:
    if isinstance(init, core.Const) and isinstance(limit, core.Const):
        x, last, count = int(init.value), int(limit.value), 0
        while x > last if function == "halvings" else x < last:
            x = x >> amount if function == "halvings" else x << amount
            count += 1
        return core.Const(count, LONG)
    name = f"cladpy::{function}"
    symbol = FunctionSymbol(function, name, LONG, (LONG, LONG, INT), FunctionKind.HOST_DEVICE, loop.span, True)
    return core.Math(symbol, (cast(init, LONG), cast(limit, LONG), core.Const(amount, INT)), LONG)


def _shift(value: core.Value, after: core.Binary) -> tuple[BinaryOp, int] | None:
    """The shift that an operator amounts to, for values above zero."""
    if not isinstance(after.right, core.Const) or after.left != core.Use(value):
        return None
    by = int(after.right.value)
    power = by > 1 and by & (by - 1) == 0
    match after.op:
        case BinaryOp.SHR | BinaryOp.SHL if by > 0:
            return after.op, by
        case BinaryOp.DIV if power:
            return BinaryOp.SHR, by.bit_length() - 1
        case BinaryOp.MUL if power:
            return BinaryOp.SHL, by.bit_length() - 1
        case _:
            return None


def _limit(condition: core.Expr, value: core.Value, shift: BinaryOp, above: bool) -> core.Expr | None:
    """`limit` of `value > limit` where the value is halved, of `value < limit` where it is doubled. `above` says that
    it is never below zero."""
    if condition == core.Cast(core.Use(value), BOOL) and shift is BinaryOp.SHR and above:
        return core.Const(0, value.type)
    if not isinstance(condition, core.Binary):
        return None
    op, left, right = condition.op, condition.left, condition.right
    if right == core.Use(value):
        op, left, right = _MIRRORED.get(op, op), right, left
    if left != core.Use(value) or not is_integer(right.type):
        return None
    type = right.type
    if shift is BinaryOp.SHR:
        if op is BinaryOp.NE and right == core.Const(0, type) and above:
            op = BinaryOp.GT
        if op is BinaryOp.GE and isinstance(right, core.Const):
            return core.Const(int(right.value) - 1, type)
        return right if op is BinaryOp.GT else None
    if op is BinaryOp.LE:
        return binary(BinaryOp.ADD, cast(right, LONG), core.Const(1, LONG), LONG)
    return right if op is BinaryOp.LT else None


def conjuncts(expr: core.Expr) -> list[core.Expr]:
    """What must all hold for a condition to hold."""
    if isinstance(expr, core.Binary) and expr.op is BinaryOp.AND:
        return [*conjuncts(expr.left), *conjuncts(expr.right)]
    return [expr]


_POSITIVE = frozenset(BuiltinVar) - {
    BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z,
    BuiltinVar.BLOCK_X, BuiltinVar.BLOCK_Y, BuiltinVar.BLOCK_Z,
}  # fmt: skip


@through_names
def is_positive(expr: core.Expr, again: Callable[[core.Expr], bool]) -> bool:
    """Whether an integer is surely above zero: constants, extents of the launch, and their products and sums."""
    match expr:
        case core.Const(value):
            return value > 0
        case core.Builtin(var):
            return var in _POSITIVE
        case core.Cast(operand):
            return is_integer(operand.type) and again(operand)
        case core.Binary(op, left, right):
            return op in (BinaryOp.ADD, BinaryOp.MUL) and again(left) and again(right)
        case _:
            return False


def is_not_negative(expr: core.Expr, outer: Names) -> bool:
    """Likewise, or is zero: what `is_positive` knows, divided."""

    @through_names
    def known(expr: core.Expr, again: Callable[[core.Expr], bool]) -> bool:
        match expr:
            case core.Const(value):
                return value >= 0
            case core.Cast(operand):
                return is_integer(operand.type) and again(operand)
            case core.Binary(BinaryOp.DIV | BinaryOp.SHR, left, right):
                return again(left) and again(right)
            case _:
                return is_positive(expr, outer)

    return known(expr, outer)
