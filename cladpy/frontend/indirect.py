"""Calls of functions by another name: an argument of a template, a reference, a pointer that never changes, one in a
table or an object that never change, and what another function is given as an argument."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import ClangType, Cursor

_FUNCTIONS = (TypeKind.FUNCTION_PROTO, TypeKind.FUNCTION_NO_PROTO)
_SCOPES = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR)
_PARTS = (CursorKind.ARRAY_SUBSCRIPT_EXPR, CursorKind.MEMBER_REF_EXPR)
_WRAPPED = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR, CursorKind.UNARY_OPERATOR, CursorKind.DECL_REF_EXPR)


def known_function(
    expression: Cursor | None, given: Mapping[tuple[int, int], Cursor] = MappingProxyType({})
) -> Cursor | None:
    """The function that an expression stands for or points to, where that is always one. `given` are those that
    parameters stand for."""
    while expression is not None and expression.kind in (*_WRAPPED, *_PARTS):
        if expression.kind in _PARTS:
            expression = _part(expression)
            continue
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


def chosen_functions(expression: Cursor | None) -> tuple[Cursor, tuple[Cursor, ...]] | None:
    """The index by which a function is chosen from a table that never changes, and the functions there."""
    while expression is not None and expression.kind in _WRAPPED and expression.kind != CursorKind.DECL_REF_EXPR:
        inner = [c for c in expression.children() if is_expression(c.kind)]
        expression = inner[0] if len(inner) == 1 else None
    if expression is None or expression.kind != CursorKind.ARRAY_SUBSCRIPT_EXPR:
        return None
    index = expression.children()[1]
    if index.evaluate() is not None:
        return None
    found = [known_function(e) for e in _elements(expression)]
    functions = tuple(f for f in found if f is not None)
    return (index, functions) if functions and len(functions) == len(found) else None


def _part(expression: Cursor) -> Cursor | None:
    """What an element of a table or a member of an object was initialised with, which never change."""
    elements = _elements(expression)
    if expression.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
        at = expression.children()[1].evaluate()
    else:
        fields = [f.spelling for f in _whole(expression).type.canonical.fields]
        at = fields.index(expression.spelling) if expression.spelling in fields else None
    return elements[at] if isinstance(at, int) and 0 <= at < len(elements) else None


def _elements(part: Cursor) -> tuple[Cursor, ...]:
    """The initialisers in the table or object that a part is taken of, if that never changes."""
    expression = _whole(part)
    declaration = expression.referenced
    if expression.kind != CursorKind.DECL_REF_EXPR or not holds_functions(declaration):
        return ()
    initializer = declaration.initializer
    assert initializer is not None
    return tuple(c for c in initializer.children() if is_expression(c.kind))


def holds_functions(declaration: Cursor) -> bool:
    """Whether a variable is a table of functions, or an object with nothing but functions in it, that never changes."""
    if declaration.kind != CursorKind.VAR_DECL or declaration.initializer is None:
        return False
    type = declaration.type.canonical
    is_table = type.kind == TypeKind.CONSTANT_ARRAY
    parts = [type.element] if is_table else [f.type for f in type.fields] if type.kind == TypeKind.RECORD else []
    if not parts or not all(leads_to_function(p.canonical) for p in parts):
        return False
    if declaration.initializer.kind != CursorKind.INIT_LIST_EXPR:
        return False
    is_constant = type.is_const or (is_table and type.element.canonical.is_const)
    return is_constant or _is_only_read(declaration, inside=True)


def names_function(declaration: Cursor) -> bool:
    """Whether a variable is a reference to a function, or a pointer to one that does not change."""
    if declaration.kind != CursorKind.VAR_DECL:
        return False
    type = declaration.type.canonical
    if not leads_to_function(type):
        return False
    return type.kind != TypeKind.POINTER or type.is_const or _is_only_read(declaration)


def _is_only_read(variable: Cursor, *, inside: bool = False) -> bool:
    """Whether a local variable keeps its first value: wherever it is named, a conversion takes its value at once, or
    that of a part `inside`. What assigns to it, takes its address, or refers to it names it without."""
    if variable.initializer is None or variable.parent.kind not in _SCOPES:
        return False
    waiting = [variable.parent]
    while waiting:
        here = waiting.pop()
        for child in here.children():
            named = child.kind == CursorKind.DECL_REF_EXPR and child.referenced.key == variable.key
            is_part = inside and child.kind in _PARTS and _whole(child).referenced.key == variable.key
            if is_part or (named and not inside):
                if here.kind != CursorKind.UNEXPOSED_EXPR:
                    return False
                waiting += child.children()[1:]
            elif named:
                return False
            else:
                waiting.append(child)
    return True


def _whole(part: Cursor) -> Cursor:
    """What a part is taken of."""
    whole = next(iter(part.children()), part)
    while whole.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR) and len(whole.children()) == 1:
        whole = whole.children()[0]
    return whole


def leads_to_function(type: ClangType) -> bool:
    """Whether a canonical type is a reference to a function, or a pointer to one."""
    pointers = (TypeKind.POINTER, TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE)
    return type.kind in pointers and type.pointee.kind in _FUNCTIONS
