"""Braced initialisers: `{1, 2}`, nested, empty, with designators, and with inner braces left out.

libclang shows them as written: the conversions of their elements are not in the tree, and are made here.
"""

from __future__ import annotations

from typing import Protocol

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.records import path_to
from cladpy.frontend.refused import Refused
from cladpy.frontend.strings import characters
from cladpy.ir.surface import Expr, InitList, Literal
from cladpy.ir.types import Array, Field, Pointer, Reference, Scalar, Struct, Type, is_floating, spell

LARGE = 4096


class Reader(Protocol):
    """What lists need from the reader of expressions and of objects."""

    def read(self, cursor: Cursor) -> Expr:
        """An expression."""

    def initializer(self, cursor: Cursor, type: Type) -> Expr:
        """An expression as an initial value."""

    def span(self, cursor: Cursor) -> Span:
        """Where it stands."""

    def field(self, cursor: Cursor, span: Span) -> tuple[Struct, Field]:
        """The member that a designator names."""

    def is_aggregate(self, struct: Struct) -> bool:
        """Whether braces initialise the members."""

    def value(self, type: Type, span: Span) -> Expr:
        """The value of an object initialised with `{}`."""

    def member_default(self, struct: Struct, field: Field, span: Span) -> Expr | None:
        """The value of a member that the list leaves out; None where it is zero."""

    def construct_from(self, struct: Struct, items: list[Cursor], span: Span, *, explicit: bool) -> Expr:
        """The object made by the constructor that these arguments choose."""

    def struct_of(self, cursor: Cursor, span: Span) -> Struct | None:
        """The class of an expression."""

    def bind(self, value: Expr, reference: Reference, span: Span) -> Expr:
        """What a reference member refers to."""


class InitLists:
    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def read(self, cursor: Cursor, type: Type, span: Span, *, is_aggregate: bool = False) -> Expr:
        """The list as the initial value of a variable of this type. Raises Refused for strings of wide characters."""
        items = [c for c in cursor.children() if is_expression(c.kind)]
        match type:
            case Struct():
                return self._object(items, type, span, is_aggregate)
            case Array() if len(items) == 1 and items[0].kind == CursorKind.STRING_LITERAL:
                return characters(items[0], type, span)
            case Array():
                elements, rest = self._array(items, type, span)
                if rest:
                    raise Refused("CP0199", span, "more values than the array has elements")
                return InitList(tuple(elements), type, span)
        if not items:
            return zero(type, span)
        if len(items) > 1:
            raise Refused("CP0199", span, "a list of several values for one variable")
        if items[0].kind == CursorKind.INIT_LIST_EXPR:
            return self.read(items[0], type, span)
        return convert(self._reader.read(items[0]), type)

    def _object(self, items: list[Cursor], type: Struct, span: Span, is_aggregate: bool) -> Expr:
        if len(items) == 1 and not _designator(items[0]) and self._is_a(items[0], type, span):
            return self._reader.initializer(items[0], type)
        if not (is_aggregate or self._reader.is_aggregate(type)):
            return self._reader.construct_from(type, items, span, explicit=True)
        elements, rest = self._fields(items, type, span)
        if rest:
            raise Refused("CP0199", span, f"more values than {type.spelling} has members")
        return InitList(tuple(elements), type, span)

    def _is_a(self, item: Cursor, type: Struct, span: Span) -> bool:
        """Whether an item is an object of this class, or of one derived from it."""
        if item.kind == CursorKind.INIT_LIST_EXPR or item.type.canonical.kind != TypeKind.RECORD:
            return False
        own = self._reader.struct_of(item, span)
        return own is not None and path_to(own, type) is not None

    def _next(self, items: list[Cursor], type: Type, span: Span) -> tuple[Expr, list[Cursor]]:
        """The value of one element or member, and the items left over ([dcl.init.aggr], brace elision)."""
        item = items[0]
        if item.kind == CursorKind.STRING_LITERAL and isinstance(type, Array):
            return characters(item, type, span), items[1:]
        if _designator(item) is not None:
            raise Refused("CP0199", span, "a designator")
        if item.kind == CursorKind.INIT_LIST_EXPR:
            return self.read(item, _value_type(type), self._reader.span(item)), items[1:]
        match type:
            case Reference():
                return self._reader.bind(self._reader.read(item), type, span), items[1:]
            case Array():
                inner, items = self._array(items, type, span)
                return InitList(tuple(inner), type, span), items
            case Struct() if not self._is_a(item, type, span):
                if self._reader.is_aggregate(type):
                    inner, items = self._fields(items, type, span)
                    return InitList(tuple(inner), type, span), items
                return self._reader.construct_from(type, [item], span, explicit=False), items[1:]
        return self._reader.initializer(item, type), items[1:]

    def _array(self, items: list[Cursor], type: Array, span: Span) -> tuple[list[Expr], list[Cursor]]:
        elements: list[Expr] = []
        while items and len(elements) < type.length:
            element, items = self._next(items, type.element, span)
            elements.append(element)
        if len(elements) < type.length and not _is_zero(self._reader.value(type.element, span)):
            elements += repeated(self._reader.value(type.element, span), type.length - len(elements))
        return elements, items

    def _fields(self, items: list[Cursor], type: Struct, span: Span) -> tuple[list[Expr], list[Cursor]]:
        found: dict[Field, Expr] = {}
        at = 0
        while items:
            named = _designator(items[0])
            if named is not None:
                field, value = self._designated(items[0], named, type, span)
                found[field] = value
                at = type.fields.index(field) + 1
                items = items[1:]
                continue
            if at >= len(type.fields) or (type.record.is_union and found):
                break
            field = type.fields[at]
            found[field], items = self._next(items, field.type, span)
            at += 1
        elements: list[Expr] = []
        for field in type.fields[:1] if type.record.is_union else type.fields:
            default = None if field in found else self._reader.member_default(type, field, span)
            if field not in found and default is None and isinstance(field.type, Reference):
                raise Refused("CP0199", span, f"the reference '{field.name}' without a value")
            elements.append(found.get(field) or default or zero(field.type, span))
        if type.record.is_union and any(field != type.fields[0] for field in found):
            raise Refused("CP0199", span, "a designator of a union's later member")
        while elements and type.fields[len(elements) - 1] not in found and _is_zero(elements[-1]):
            elements.pop()
        return elements, items

    def _designated(self, item: Cursor, named: Cursor, type: Struct, span: Span) -> tuple[Field, Expr]:
        owner, field = self._reader.field(named.referenced, span)
        inner = [c for c in item.children() if is_expression(c.kind)]
        if owner != type or len(inner) != 1 or sum(c.kind == CursorKind.MEMBER_REF for c in item.children()) != 1:
            raise Refused("CP0199", span, "a designator")
        value, rest = self._next(inner, field.type, span)
        assert not rest
        return field, value


def _designator(item: Cursor) -> Cursor | None:
    if item.kind != CursorKind.UNEXPOSED_EXPR:
        return None
    children = item.children()
    return children[0] if children and children[0].kind == CursorKind.MEMBER_REF else None


def _value_type(type: Type) -> Type:
    return type.referee if isinstance(type, Reference) else type


def _is_zero(expr: Expr) -> bool:
    match expr:
        case Literal(value):
            return value == 0
        case InitList(elements):
            return not elements
        case _:
            return False


def zero(type: Type, span: Span) -> Expr:
    match type:
        case Pointer():
            return Literal(0, type, span)
        case Scalar():
            return Literal(0.0 if is_floating(type) else 0, type, span)
        case Struct() | Array():
            return InitList((), type, span)
    raise Refused("CP0199", span, f"an empty list for '{spell(type)}'")


def repeated(value: Expr, count: int) -> list[Expr]:
    if count > LARGE:
        raise Refused("CP0199", value.span, "a large array of objects with a constructor")
    return [value] * count
