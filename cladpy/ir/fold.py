"""Building core operators, with the few simplifications that never change a value."""

from __future__ import annotations

import operator
from collections.abc import Callable

from cladpy.ir import core
from cladpy.ir.halves import nearest
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, Scalar, Type, is_floating, is_half, is_integer, is_signed, size_of

_NEGATED = {
    BinaryOp.LT: BinaryOp.GE,
    BinaryOp.GE: BinaryOp.LT,
    BinaryOp.GT: BinaryOp.LE,
    BinaryOp.LE: BinaryOp.GT,
    BinaryOp.EQ: BinaryOp.NE,
    BinaryOp.NE: BinaryOp.EQ,
}
_FOLDED: dict[BinaryOp, Callable[[int, int], int]] = {
    BinaryOp.ADD: operator.add,
    BinaryOp.SUB: operator.sub,
    BinaryOp.MUL: operator.mul,
}
_DIVIDED: dict[BinaryOp, Callable[[int, int], int]] = {  # of what is not negative
    BinaryOp.DIV: operator.floordiv,
    BinaryOp.REM: operator.mod,
}
_COMPARED: dict[BinaryOp, Callable[[int, int], bool]] = {
    BinaryOp.EQ: operator.eq,
    BinaryOp.NE: operator.ne,
    BinaryOp.LT: operator.lt,
    BinaryOp.LE: operator.le,
    BinaryOp.GT: operator.gt,
    BinaryOp.GE: operator.ge,
}


def zero(type: Type) -> core.Const:
    return core.Const(0.0 if is_floating(type) else 0, type)


def unary(op: UnaryOp, operand: core.Expr, type: Type) -> core.Expr:
    if op is UnaryOp.PLUS:
        return cast(operand, type)
    if op is UnaryOp.NOT:
        if isinstance(operand, core.Const):
            return core.Const(not operand.value, BOOL)
        if isinstance(operand, core.Unary) and operand.op is UnaryOp.NOT:
            return operand.operand
        # the negation of an ordering of floats is not the opposite ordering: NaN
        if isinstance(operand, core.Binary) and operand.op in _NEGATED and is_integer(operand.left.type):
            return core.Binary(_NEGATED[operand.op], operand.left, operand.right, BOOL)
    if op is UnaryOp.NEG and isinstance(operand, core.Const):
        if is_floating(type):
            return core.Const(-float(operand.value), type)
        return core.Const(wrap(-int(operand.value), type), type)
    return core.Unary(op, operand, type)


def binary(op: BinaryOp, left: core.Expr, right: core.Expr, type: Type) -> core.Expr:
    """Logical operators with a constant side, integer sums of constants and comparisons of an integer with itself are
    folded."""
    if op is BinaryOp.AND:
        for a, b in ((left, right), (right, left)):
            if isinstance(a, core.Const):
                return b if a.value else core.Const(False, BOOL)
    if op is BinaryOp.OR:
        for a, b in ((left, right), (right, left)):
            if isinstance(a, core.Const):
                return core.Const(True, BOOL) if a.value else b
    if isinstance(left, core.Const) and isinstance(right, core.Const) and is_integer(left.type):
        if op in _FOLDED:
            return core.Const(wrap(_FOLDED[op](int(left.value), int(right.value)), type), type)
        if op in _DIVIDED and left.value >= 0 and right.value > 0:
            return core.Const(_DIVIDED[op](int(left.value), int(right.value)), type)
        if op in _COMPARED:
            return core.Const(_COMPARED[op](int(left.value), int(right.value)), BOOL)
    if op in _COMPARED and is_integer(left.type) and left == right:  # compilers warn of it
        return core.Const(_COMPARED[op](0, 0), BOOL)
    zero = isinstance(right, core.Const) and right.value == 0 and is_integer(left.type) and not is_signed(left.type)
    if zero and op in (BinaryOp.LT, BinaryOp.GE):
        return core.Const(op is BinaryOp.GE, BOOL)
    return core.Binary(op, left, right, type)


def cast(operand: core.Expr, type: Type) -> core.Expr:
    """The conversion of a scalar, exact on constants."""
    if operand.type == type:
        return operand
    if isinstance(operand, core.Const):
        value = operand.value
        if is_integer(operand.type) and is_integer(type):
            if type == BOOL:
                return core.Const(bool(value), BOOL)
            return core.Const(wrap(int(value), type), type)
        if is_half(type) and abs(value) <= 2**53:
            assert isinstance(type, Scalar)
            rounded = nearest(float(value), type.kind)
            return core.Cast(operand, type) if rounded is None else core.Const(rounded, type)
        if is_integer(operand.type) and is_floating(type) and abs(int(value)) <= 2**24:
            return core.Const(float(value), type)
        if is_half(operand.type) and is_floating(type):
            return core.Const(float(value), type)
        if is_floating(operand.type) and size_of(type) == 8 and is_floating(type):
            return core.Const(float(value), type)
    return core.Cast(operand, type)


def wrap(value: int, type: Type) -> int:
    """The integer reduced to the range of its type."""
    assert isinstance(type, Scalar)
    bits = 8 * size_of(type)
    value &= (1 << bits) - 1
    if is_signed(type) and value >> (bits - 1):
        value -= 1 << bits
    return value
