"""Members: the object that they are used on, and virtual functions of which the program says which one runs."""

from __future__ import annotations

from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import Cursor

_QUALIFIERS = (CursorKind.TYPE_REF, CursorKind.TEMPLATE_REF)
_REFERENCES = (TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE)
_VARIABLES = (CursorKind.VAR_DECL, CursorKind.PARM_DECL)


def object_of(member: Cursor) -> Cursor | None:
    """The object in a member expression, or the pointer to it; None where `this->` is not written. The arguments of
    templates in its name stand beside it."""
    for child in member.children():
        type = child.type.canonical
        if is_expression(child.kind) and TypeKind.RECORD in (type.kind, type.pointee.canonical.kind):
            return child
    return None


def is_resolved(call: Cursor, callee: Cursor, base: Cursor | None) -> bool:
    """Whether a call of a virtual function runs `callee` and nothing that overrides it. `base` is what it is called on,
    None for `*this` that is not written."""
    if _is_final(callee) or _is_final(callee.parent) or _is_qualified(call):
        return True
    return base is not None and _is_whole(base)


def _is_final(declaration: Cursor) -> bool:
    return any(c.kind == CursorKind.CXX_FINAL_ATTR for c in declaration.children())


def _is_qualified(call: Cursor) -> bool:
    """`shape.Base::area()`."""
    member = call
    while member.kind != CursorKind.MEMBER_REF_EXPR:
        inner = [c for c in member.children() if is_expression(c.kind)]
        if not inner:
            return False
        member = inner[0]
        if member.kind not in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR, CursorKind.MEMBER_REF_EXPR):
            return False
    return any(c.kind in _QUALIFIERS for c in member.children())


def _is_whole(base: Cursor) -> bool:
    """Whether an expression names an object that is no part of another class's: a variable, a member, an element of an
    array, something returned by value. A conversion to a base, which clang makes for the call, changes nothing."""
    while base.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
        inner = [c for c in base.children() if is_expression(c.kind)]
        if len(inner) != 1:
            return False
        base = inner[0]
    match base.kind:
        case CursorKind.DECL_REF_EXPR:
            named = base.referenced
            return named.kind in _VARIABLES and named.type.canonical.kind == TypeKind.RECORD
        case CursorKind.MEMBER_REF_EXPR:
            named = base.referenced
            return named.kind == CursorKind.FIELD_DECL and named.type.canonical.kind == TypeKind.RECORD
        case CursorKind.ARRAY_SUBSCRIPT_EXPR:
            array = next((c for c in base.children() if is_expression(c.kind)), None)
            while array is not None and array.kind == CursorKind.UNEXPOSED_EXPR:
                array = next((c for c in array.children() if is_expression(c.kind)), None)
            return array is not None and array.type.canonical.kind == TypeKind.CONSTANT_ARRAY
        case CursorKind.FUNCTIONAL_CAST_EXPR:
            return base.type.canonical.kind == TypeKind.RECORD
        case CursorKind.CALL_EXPR:
            made = base.referenced
            if made.is_null or made.kind == CursorKind.CONSTRUCTOR:
                return made.kind == CursorKind.CONSTRUCTOR
            return made.result_type.canonical.kind not in _REFERENCES
        case _:
            return False
