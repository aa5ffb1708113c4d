"""Arithmetic of `__complex__ T`, which libstdc++'s std::complex is made of: each part by itself."""

from __future__ import annotations

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.records import is_complex
from cladpy.frontend.refused import Refused
from cladpy.ir import surface as s
from cladpy.ir.types import BOOL, Struct, Type, spell

_Parts = tuple[s.Expr, s.Expr | None]  # without an imaginary part: a real number


def takes_part(left: Type, right: Type) -> bool:
    return any(isinstance(type, Struct) and is_complex(type) for type in (left, right))


def operate(op: s.BinaryOp, left: s.Expr, right: s.Expr, type: Struct, span: Span) -> s.Expr:
    """`left op right` as a value of the complex type; a comparison for `==` and `!=`."""
    part = type.fields[0].type
    (a, b), (c, d) = _parts(left, part, span), _parts(right, part, span)

    def binary(how: s.BinaryOp, x: s.Expr, y: s.Expr) -> s.Expr:
        return s.Binary(how, x, y, part, span)

    def product(x: s.Expr, y: s.Expr) -> s.Expr:
        return binary(s.BinaryOp.MUL, x, y)

    zero = s.Literal(0.0, part, span)
    match op:
        case s.BinaryOp.ADD | s.BinaryOp.SUB:
            imaginary = b if d is None else binary(op, b or zero, d)
            return s.InitList((binary(op, a, c), imaginary or zero), type, span)
        case s.BinaryOp.MUL if b is None or d is None:
            return s.InitList((product(a, c), product(b or a, d or c)), type, span)
        case s.BinaryOp.MUL if b is not None and d is not None:
            real = binary(s.BinaryOp.SUB, product(a, c), product(b, d))
            return s.InitList((real, binary(s.BinaryOp.ADD, product(a, d), product(b, c))), type, span)
        case s.BinaryOp.DIV if d is None:
            return s.InitList((binary(op, a, c), binary(op, b or zero, c)), type, span)
        case s.BinaryOp.DIV if d is not None:
            size = binary(s.BinaryOp.ADD, product(c, c), product(d, d))
            up, across = product(a, c), s.Unary(s.UnaryOp.NEG, product(a, d), part, span)
            real = up if b is None else binary(s.BinaryOp.ADD, up, product(b, d))
            imaginary = across if b is None else binary(s.BinaryOp.SUB, product(b, c), product(a, d))
            return s.InitList((binary(op, real, size), binary(op, imaginary, size)), type, span)
        case s.BinaryOp.EQ | s.BinaryOp.NE:
            together = s.BinaryOp.AND if op is s.BinaryOp.EQ else s.BinaryOp.OR
            first, second = s.Binary(op, a, c, BOOL, span), s.Binary(op, b or zero, d or zero, BOOL, span)
            return s.Binary(together, first, second, BOOL, span)
    raise Refused("CP0199", span, f"'{spell(left.type)}' {op.value} '{spell(right.type)}'")


def negate(operand: s.Expr, type: Struct, span: Span, *, conjugate: bool) -> s.Expr:
    """`-z`, or the complex conjugate `~z`."""
    part = type.fields[0].type
    real, imaginary = _parts(operand, part, span)
    assert imaginary is not None
    negative = s.Unary(s.UnaryOp.NEG, imaginary, part, span)
    return s.InitList((real if conjugate else s.Unary(s.UnaryOp.NEG, real, part, span), negative), type, span)


def _parts(expr: s.Expr, part: Type, span: Span) -> _Parts:
    if not (isinstance(expr.type, Struct) and is_complex(expr.type)):
        return convert(expr, part), None
    if isinstance(expr, s.InitList) and len(expr.elements) == 2:
        return convert(expr.elements[0], part), convert(expr.elements[1], part)
    if not _is_repeatable(expr):
        raise Refused("CP0199", span, "complex arithmetic on what cannot be evaluated twice")
    real, imaginary = (convert(s.Member(expr, f, f.type, span), part) for f in expr.type.fields)
    return real, imaginary


def _is_repeatable(expr: s.Expr) -> bool:
    """Whether an expression may stand in several places: without effects, and cheap."""
    match expr:
        case s.VarRef() | s.Literal():
            return True
        case s.Member(base=inner) | s.Deref(operand=inner) | s.AddressOf(operand=inner) | s.Cast(operand=inner):
            return _is_repeatable(inner)
        case s.Index(base, index):
            return _is_repeatable(base) and _is_repeatable(index)
        case s.Call(callee, arguments):
            return callee.name == "__rep" and all(_is_repeatable(a) for a in arguments)
        case _:
            return False
