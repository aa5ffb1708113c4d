"""Clocks of the system, which programs read around what they time: what they show is a number of nanoseconds."""

from __future__ import annotations

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.objects import select
from cladpy.ir.surface import AddressOf, Assign, Binary, BinaryOp, Call, Comma, Deref, Expr, Literal, VarRef
from cladpy.ir.symbols import NANOSECONDS
from cladpy.ir.types import DOUBLE, LONG, Pointer, Scalar, Struct
from cladpy.known import Time


def seconds(span: Span) -> Expr:
    """The time as a number of seconds."""
    now = convert(Call(NANOSECONDS, (), NANOSECONDS.result, span), DOUBLE)
    return Binary(BinaryOp.DIV, now, Literal(1e9, DOUBLE, span), DOUBLE, span)


def shown(clock: Time, position: int, values: list[Expr], type: Scalar, span: Span) -> Expr | None:
    """A call that puts the time into an object; None where that is not said in a simple way."""
    pointer = values[position]
    if not isinstance(pointer.type, Pointer) or not isinstance(pointer.type.pointee, Struct):
        return None
    match pointer:
        case AddressOf(operand=place):
            pass
        case VarRef():
            place = Deref(pointer, pointer.type.pointee, span)
        case _:
            return None
    second = 1_000_000_000
    seconds, rest = pointer.type.pointee.fields[:2]
    now = Call(NANOSECONDS, (), NANOSECONDS.result, span)
    parts = (
        (seconds, Binary(BinaryOp.DIV, now, Literal(second, LONG, span), LONG, span)),
        (
            rest,
            Binary(
                BinaryOp.DIV,
                Binary(BinaryOp.REM, now, Literal(second, LONG, span), LONG, span),
                Literal(clock.unit, LONG, span),
                LONG,
                span,
            ),
        ),
    )
    result: Expr = Literal(clock.success, type, span)
    for field, value in reversed(parts):
        target = select(place, field, span)
        stored = Assign(target, convert(value, target.type), target.type, span)
        result = Comma(stored, result, type, span)
    return result
