"""Conversions of value: what C++ does silently is made a Cast, and literals are converted at once."""

from __future__ import annotations

import math
import struct

from cladpy.diagnostics import Span
from cladpy.frontend.records import is_complex, path_to
from cladpy.frontend.refused import Refused, effects, left_out
from cladpy.ir.halves import nearest
from cladpy.ir.surface import AddressOf, Binary, BinaryOp, Cast, Deref, Expr, InitList, Literal, Member, StringLiteral
from cladpy.ir.surface_rules import is_lvalue, same, without_restrict
from cladpy.ir.types import (
    ASIDE,
    BOOL,
    VOID,
    Array,
    Opaque,
    Pointer,
    Scalar,
    ScalarKind,
    Struct,
    Type,
    Void,
    is_floating,
    is_half,
    is_integer,
    is_signed,
    size_of,
    spell,
)


def convert(expr: Expr, type: Type, span: Span | None = None) -> Expr:
    """The expression with the given type, through a Cast where it differs.

    Raises Refused where the conversion would give the same bytes another meaning.
    """
    source = expr.type
    span = span or expr.span
    if same(source, type):
        return expr
    if isinstance(type, Void):
        return Cast(expr, VOID, span)
    if type == ASIDE:
        return left_out("this text", ASIDE, span, effects(expr))
    if isinstance(type, Scalar) and isinstance(source, Scalar):
        if isinstance(expr, Literal):
            folded = convert_value(expr.value, type)
            if folded is not None:
                return Literal(folded, type, expr.span)
        return Cast(expr, type, span)
    if isinstance(expr, Literal) and expr.value == 0 and isinstance(type, Pointer):
        return Literal(0, type, expr.span)
    if isinstance(expr, Literal) and isinstance(type, Opaque):
        return Literal(int(expr.value), type, expr.span)  # cudaStreamPerThread is a number
    if type == BOOL and isinstance(source, Opaque):
        return Binary(BinaryOp.NE, expr, Literal(0, source, span), BOOL, span)
    if type == BOOL and isinstance(source, (Pointer, Array)):
        pointer = Pointer(source.element) if isinstance(source, Array) else source
        return Binary(BinaryOp.NE, convert(expr, pointer), Literal(0, pointer, span), BOOL, span)
    if isinstance(type, Pointer):
        if isinstance(source, Array) and _pointees_agree(source.element, type.pointee):
            if isinstance(expr, StringLiteral):
                return StringLiteral(expr.text, type, expr.span)
            return Cast(expr, type, span)
        if isinstance(source, Pointer) and _pointees_agree(source.pointee, type.pointee):
            return Cast(expr, type, span)
        if isinstance(source, Pointer) and _derives(source.pointee, type.pointee):
            object = expr.operand if isinstance(expr, AddressOf) else Deref(expr, source.pointee, span)
            return AddressOf(convert(object, type.pointee, span), type, span)
    if isinstance(type, Struct) and is_complex(type) and isinstance(source, Scalar):
        part = type.fields[0].type
        return InitList((convert(expr, part, span), Literal(0.0, part, span)), type, span)
    if isinstance(type, Struct) and isinstance(source, Struct):
        path = path_to(source, type)
        for field in path or ():
            expr = Member(expr, field, field.type, span)
        if path:
            return expr
    raise Refused("CP0113", span, f"from '{spell(source)}' to '{spell(type)}'")


def reinterpret(expr: Expr, type: Type, span: Span) -> Expr:
    """A cast that is written, which may also lead to a derived class or change what a pointer points to."""
    source = expr.type
    if isinstance(type, Struct) and isinstance(source, Struct) and is_lvalue(expr) and path_to(type, source):
        pointer = AddressOf(expr, Pointer(source), span)
        return Deref(reinterpret(pointer, Pointer(type), span), type, span)
    if isinstance(type, Pointer) and isinstance(source, Pointer):
        path = None
        if isinstance(type.pointee, Struct) and isinstance(source.pointee, Struct):
            path = path_to(type.pointee, source.pointee)
        if path and any(field.offset for field in path):
            raise Refused("CP0113", span, f"from '{spell(source)}' to '{spell(type)}'")
        if path or not _pointees_agree(source.pointee, type.pointee):
            return Cast(expr, type, span)  # the next stage judges whether memory keeps its meaning
    if (_is_address(type) and isinstance(source, Pointer | Array)) or (
        isinstance(type, Pointer) and _is_address(source) and not isinstance(expr, Literal)
    ):
        return Cast(expr, type, span)  # the next stage follows where it leads
    return convert(expr, type, span)


def reinterpret_memory(expr: Expr, type: Type, span: Span) -> Expr:
    """A cast to a reference, such as `(float4 &)x[i]`: the same memory, as another type where that is another."""
    source = expr.type
    is_memory = isinstance(type, Scalar | Struct) and isinstance(source, Scalar | Struct | Array)
    if not is_memory or same(source, type) or _are_related(type, source):
        return reinterpret(expr, type, span)
    return Deref(reinterpret(AddressOf(expr, Pointer(source), span), Pointer(type), span), type, span)


def _are_related(a: Type, b: Type) -> bool:
    """Whether one of two classes is a base of the other."""
    if not isinstance(a, Struct) or not isinstance(b, Struct):
        return False
    return path_to(a, b) is not None or path_to(b, a) is not None


def _is_address(type: Type) -> bool:
    """Whether an address fits a number of this type."""
    return isinstance(type, Scalar) and is_integer(type) and size_of(type) == 8


def convert_value(value: int | float | bool, type: Scalar) -> int | float | bool | None:
    """A constant converted to another scalar type; None where C++ leaves the result open."""
    kind = type.kind
    if kind is ScalarKind.BOOL:
        return bool(value)
    if is_floating(type):
        try:
            wide = float(value)
        except OverflowError:
            return None
        if kind is ScalarKind.DOUBLE or math.isinf(wide) or math.isnan(wide):
            return wide
        if is_half(type):
            return nearest(wide, kind)
        if isinstance(value, int) and abs(value) > 1 << 53:
            return None  # two roundings could differ from one
        try:
            return float(struct.unpack("f", struct.pack("f", wide))[0])
        except OverflowError:
            return None
    bits = 8 * size_of(type)
    if isinstance(value, float):
        if math.isinf(value) or math.isnan(value):
            return None
        value = int(value)
        low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if is_signed(type) else (0, 1 << bits)
        return value if low <= value < high else None
    wrapped = int(value) & ((1 << bits) - 1)
    if is_signed(type) and wrapped >> (bits - 1):
        wrapped -= 1 << bits
    return wrapped


def _derives(source: Type, target: Type) -> bool:
    return isinstance(source, Struct) and isinstance(target, Struct) and bool(path_to(source, target))


def _pointees_agree(source: Type, target: Type) -> bool:
    """Whether memory keeps its meaning: the same element type, an integer's other signedness, or void."""
    source, target = without_restrict(source), without_restrict(target)
    if source == target or isinstance(source, Void) or isinstance(target, Void):
        return True
    if is_integer(source) and is_integer(target):
        return size_of(source) == size_of(target) and BOOL not in (source, target)
    if isinstance(source, Pointer) and isinstance(target, Pointer):
        return _pointees_agree(source.pointee, target.pointee) and not isinstance(target.pointee, Void)
    return False
