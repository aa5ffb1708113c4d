"""Arithmetic of `__complex__ T`, which libstdc++'s std::complex is made of: each part by itself."""

from __future__ import annotations

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.records import is_complex
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import (
    AddressOf,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Deref,
    Expr,
    Index,
    InitList,
    Literal,
    Member,
    Unary,
    UnaryOp,
    VarRef,
)
from cladpy.ir.types import BOOL, Struct, Type, spell

_Parts = tuple[Expr, Expr | None]  # without an imaginary part: a real number


def takes_part(left: Type, right: Type) -> bool:
    return any(isinstance(type, Struct) and is_complex(type) for type in (left, right))


def operate(op: BinaryOp, left: Expr, right: Expr, type: Struct, span: Span) -> Expr:
    """`left op right` as a value of the complex type; a comparison for `==` and `!=`."""
    part = type.fields[0].type
    (a, b), (c, d) = _parts(left, part, span), _parts(right, part, span)

    def binary(how: BinaryOp, x: Expr, y: Expr) -> Expr:
        return Binary(how, x, y, part, span)

    def product(x: Expr, y: Expr) -> Expr:
        return binary(BinaryOp.MUL, x, y)

    zero = Literal(0.0, part, span)
    match op:
        case BinaryOp.ADD | BinaryOp.SUB:
            imaginary = b if d is None else binary(op, b or zero, d)
            return InitList((binary(op, a, c), imaginary or zero), type, span)
        case BinaryOp.MUL if b is None or d is None:
            return InitList((product(a, c), product(b or a, d or c)), type, span)
        case BinaryOp.MUL if b is not None and d is not None:
            real = binary(BinaryOp.SUB, product(a, c), product(b, d))
            return InitList((real, binary(BinaryOp.ADD, product(a, d), product(b, c))), type, span)
        case BinaryOp.DIV if d is None:
            return InitList((binary(op, a, c), binary(op, b or zero, c)), type, span)
        case BinaryOp.DIV if d is not None:
            size = binary(BinaryOp.ADD, product(c, c), product(d, d))
            up, across = product(a, c), Unary(UnaryOp.NEG, product(a, d), part, span)
            real = up if b is None else binary(BinaryOp.ADD, up, product(b, d))
            imaginary = across if b is None else binary(BinaryOp.SUB, product(b, c), product(a, d))
            return InitList((binary(op, real, size), binary(op, imaginary, size)), type, span)
        case BinaryOp.EQ | BinaryOp.NE:
            together = BinaryOp.AND if op is BinaryOp.EQ else BinaryOp.OR
            first, second = Binary(op, a, c, BOOL, span), Binary(op, b or zero, d or zero, BOOL, span)
            return Binary(together, first, second, BOOL, span)
    raise Refused("CP0199", span, f"'{spell(left.type)}' {op.value} '{spell(right.type)}'")


def negate(operand: Expr, type: Struct, span: Span, *, conjugate: bool) -> Expr:
    """`-z`, or the complex conjugate `~z`."""
    part = type.fields[0].type
    real, imaginary = _parts(operand, part, span)
    assert imaginary is not None
    negative = Unary(UnaryOp.NEG, imaginary, part, span)
    return InitList((real if conjugate else Unary(UnaryOp.NEG, real, part, span), negative), type, span)


def _parts(expr: Expr, part: Type, span: Span) -> _Parts:
    if not (isinstance(expr.type, Struct) and is_complex(expr.type)):
        return convert(expr, part), None
    if isinstance(expr, InitList) and len(expr.elements) == 2:
        return convert(expr.elements[0], part), convert(expr.elements[1], part)
    if not _is_repeatable(expr):
        raise Refused("CP0199", span, "complex arithmetic on what cannot be evaluated twice")
    real, imaginary = (convert(Member(expr, f, f.type, span), part) for f in expr.type.fields)
    return real, imaginary


def _is_repeatable(expr: Expr) -> bool:
    """Whether an expression may stand in several places: without effects, and cheap."""
    match expr:
        case VarRef() | Literal():
            return True
        case Member(base=inner) | Deref(operand=inner) | AddressOf(operand=inner) | Cast(operand=inner):
            return _is_repeatable(inner)
        case Index(base, index):
            return _is_repeatable(base) and _is_repeatable(index)
        case Call(callee, arguments):
            return callee.name == "__rep" and all(_is_repeatable(a) for a in arguments)
        case _:
            return False
