"""Calls of functions by another name: an argument of a template, a reference, a pointer that never changes, and what
another function is given as an argument."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import ClangType, Cursor

_FUNCTIONS = (TypeKind.FUNCTION_PROTO, TypeKind.FUNCTION_NO_PROTO)
_WRAPPED = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR, CursorKind.UNARY_OPERATOR, CursorKind.DECL_REF_EXPR)


def known_function(
    expression: Cursor | None, given: Mapping[tuple[int, int], Cursor] = MappingProxyType({})
) -> Cursor | None:
    """The function that an expression stands for or points to, where that is always one. `given` are those that
    parameters stand for."""
    while expression is not None and expression.kind in _WRAPPED:
        declaration = expression.referenced
        if expression.kind == CursorKind.DECL_REF_EXPR and not declaration.is_null:
            if declaration.kind == CursorKind.FUNCTION_DECL:
                return declaration
            if declaration.kind == CursorKind.PARM_DECL:
                return given.get(declaration.key)
            expression = declaration.initializer if names_function(declaration) else None
            continue
        inner = [c for c in expression.children() if is_expression(c.kind)]
        expression = inner[0] if len(inner) == 1 else None
    return None


def names_function(declaration: Cursor) -> bool:
    """Whether a variable is a reference to a function, or a pointer to one that cannot change."""
    if declaration.kind != CursorKind.VAR_DECL:
        return False
    type = declaration.type.canonical
    if type.kind == TypeKind.POINTER and not type.is_const:
        return False
    return leads_to_function(type)


def leads_to_function(type: ClangType) -> bool:
    """Whether a canonical type is a reference to a function, or a pointer to one."""
    pointers = (TypeKind.POINTER, TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE)
    return type.kind in pointers and type.pointee.kind in _FUNCTIONS
