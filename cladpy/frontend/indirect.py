"""Calls of functions by another name: an argument of a template, a reference, a pointer that never changes, and what
another function is given as an argument."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import ClangType, Cursor

_FUNCTIONS = (TypeKind.FUNCTION_PROTO, TypeKind.FUNCTION_NO_PROTO)
_SCOPES = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR)
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
    """Whether a variable is a reference to a function, or a pointer to one that does not change."""
    if declaration.kind != CursorKind.VAR_DECL:
        return False
    type = declaration.type.canonical
    if not leads_to_function(type):
        return False
    return type.kind != TypeKind.POINTER or type.is_const or _is_only_read(declaration)


def _is_only_read(variable: Cursor) -> bool:
    """Whether a local variable keeps its first value: wherever it is named, a conversion takes its value at once. What
    assigns to it, takes its address, or refers to it names it without."""
    if variable.initializer is None or variable.parent.kind not in _SCOPES:
        return False
    waiting = [variable.parent]
    while waiting:
        here = waiting.pop()
        for child in here.children():
            if child.kind == CursorKind.DECL_REF_EXPR and child.referenced.key == variable.key:
                if here.kind != CursorKind.UNEXPOSED_EXPR:
                    return False
            else:
                waiting.append(child)
    return True


def leads_to_function(type: ClangType) -> bool:
    """Whether a canonical type is a reference to a function, or a pointer to one."""
    pointers = (TypeKind.POINTER, TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE)
    return type.kind in pointers and type.pointee.kind in _FUNCTIONS
