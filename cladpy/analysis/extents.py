"""What an integer never exceeds, whatever the launch: a block has at most 1,024 threads."""

from __future__ import annotations

from collections.abc import Callable

from cladpy.ir import core
from cladpy.ir.names import Names, through_names
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import Type, is_integer, is_signed, size_of

MOST = {
    BuiltinVar.BLOCK_DIM_X: 1024,
    BuiltinVar.BLOCK_DIM_Y: 1024,
    BuiltinVar.BLOCK_DIM_Z: 64,
    BuiltinVar.THREAD_X: 1023,
    BuiltinVar.THREAD_Y: 1023,
    BuiltinVar.THREAD_Z: 63,
    BuiltinVar.WARP_SIZE: 64,
}


_BEYOND = 2**64  # what no integer is


def at_most(expr: core.Expr, outer: Names) -> int | None:
    """A bound of an expression that is surely not negative; None where it may be, or no bound is known. `outer` has the
    expressions of values."""
    found = _at_most(expr, outer)
    return None if found is None or found >= _BEYOND else found


def range_of(expr: core.Expr) -> tuple[int, int] | None:
    """Between which numbers an integer is, as far as that follows from the size of blocks; None where it may wrap."""
    match expr:
        case core.Const(value) if is_integer(expr.type):
            return int(value), int(value)
        case core.Builtin(var) if var in MOST:
            return 0, MOST[var]
        case core.Cast(operand, type) if is_integer(operand.type) and size_of(type) >= size_of(operand.type):
            return _representable(range_of(operand), type)
        case core.Select(_, then, other):
            a, b = range_of(then), range_of(other)
            return None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1]))
        case core.Binary(op, left, right) if is_integer(expr.type):
            a, b = range_of(left), range_of(right)
            if a is None or b is None:
                return None
            match op:
                case BinaryOp.ADD:
                    found = a[0] + b[0], a[1] + b[1]
                case BinaryOp.SUB:
                    found = a[0] - b[1], a[1] - b[0]
                case BinaryOp.MUL:
                    ends = [x * y for x in a for y in b]
                    found = min(ends), max(ends)
                case BinaryOp.DIV if b[0] == b[1] > 0:
                    found = -(-a[0] // b[0]) if a[0] < 0 else a[0] // b[0], a[1] // b[0] if a[1] >= 0 else 0
                case _:
                    return None
            return _representable(found, expr.type)
        case _:
            return None


def _representable(found: tuple[int, int] | None, type: Type) -> tuple[int, int] | None:
    bits = 8 * size_of(type)
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if is_signed(type) else (0, 2**bits)
    return found if found is not None and least <= found[0] and found[1] < most else None


@through_names
def _at_most(expr: core.Expr, bound: Callable[[core.Expr], int | None]) -> int | None:
    match expr:
        case core.Const(value) if value >= 0 and is_integer(expr.type):
            return int(value)
        case core.Builtin(var):
            return MOST.get(var)
        case core.Cast(operand, type) if is_integer(operand.type):
            inner = bound(operand)
            fits = inner is not None and inner < 2 ** (8 * size_of(type) - is_signed(type))  # or it may be negative
            return inner if fits else None
        case core.Binary(op, left, right) if is_integer(expr.type):
            a, b = bound(left), bound(right)
            if a is None or b is None:
                return None
            match op:
                case BinaryOp.ADD:
                    return a + b
                case BinaryOp.MUL:
                    return min(a * b, _BEYOND)
                case BinaryOp.DIV if isinstance(right, core.Const) and b > 0:
                    return a // b
                case BinaryOp.SHR if isinstance(right, core.Const) and b < 64:
                    return a >> b
                case BinaryOp.DIV | BinaryOp.SHR | BinaryOp.REM:
                    return a
                case BinaryOp.BIT_AND:
                    return min(a, b)
                case _:
                    return None
        case core.Select(_, then, other):
            a, b = bound(then), bound(other)
            return None if a is None or b is None else max(a, b)
        case _:
            return None
