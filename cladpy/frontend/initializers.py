"""Braced initialisers: `{1, 2}`, nested, empty, and with inner braces left out."""

from __future__ import annotations

from collections.abc import Callable

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.kinds import CursorKind, is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import Expr, InitList, Literal
from cladpy.ir.types import Array, Pointer, Scalar, Type, is_floating


def read_init_list(cursor: Cursor, type: Type, span: Span, read: Callable[[Cursor], Expr]) -> Expr:
    """The list as the initial value of a variable of this type. Raises Refused for designators and strings."""
    items = [c for c in cursor.children() if is_expression(c.kind)]
    if not isinstance(type, Array):
        if not items:
            return _zero(type, span)
        if len(items) > 1:
            raise Refused("CP0199", span, "a list of several values for one variable")
        if items[0].kind == CursorKind.INIT_LIST_EXPR:
            return read_init_list(items[0], type, span, read)
        return convert(read(items[0]), type)
    elements, rest = _elements(items, type, span, read)
    if rest:
        raise Refused("CP0199", span, "more values than the array has elements")
    return InitList(tuple(elements), type, span)


def _elements(
    items: list[Cursor], type: Array, span: Span, read: Callable[[Cursor], Expr]
) -> tuple[list[Expr], list[Cursor]]:
    """The elements of one array, and the items left over for what stands after it ([dcl.init.aggr], brace elision)."""
    elements: list[Expr] = []
    while items and len(elements) < type.length:
        item = items[0]
        if item.kind == CursorKind.STRING_LITERAL or (
            item.kind == CursorKind.UNEXPOSED_EXPR and any(c.kind == CursorKind.MEMBER_REF for c in item.children())
        ):
            raise Refused("CP0126" if item.kind == CursorKind.STRING_LITERAL else "CP0199", span, "a designator")
        if item.kind == CursorKind.INIT_LIST_EXPR:
            elements.append(read_init_list(item, type.element, span, read))
            items = items[1:]
        elif isinstance(type.element, Array):
            inner, items = _elements(items, type.element, span, read)
            elements.append(InitList(tuple(inner), type.element, span))
        else:
            elements.append(convert(read(item), type.element))
            items = items[1:]
    return elements, items


def _zero(type: Type, span: Span) -> Expr:
    if isinstance(type, Pointer):
        return Literal(0, type, span)
    if isinstance(type, Scalar):
        return Literal(0.0 if is_floating(type) else 0, type, span)
    raise Refused("CP0199", span, "an empty list")
