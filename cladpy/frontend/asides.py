"""Calls of the C++ library about text and streams: a gradient leaves them out, but for what their operands do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.refused import Refused, effects, left_out
from cladpy.frontend.types import is_aside
from cladpy.ir.surface import Expr, Unsupported
from cladpy.ir.types import VOID, Type, Void, decay, strip_reference

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_FUNCTIONS = (
    CursorKind.FUNCTION_DECL,
    CursorKind.FUNCTION_TEMPLATE,
    CursorKind.CXX_METHOD,
    CursorKind.CONVERSION_FUNCTION,
    CursorKind.OVERLOADED_DECL_REF,
)
_WRAPPERS = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR)


def concerns_text(callee: Cursor) -> bool:
    """Whether a function of the C++ library is about text or streams."""
    type = callee.type.canonical
    types = [*type.parameters, type.result]
    if callee.kind in (CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.CONVERSION_FUNCTION):
        types.append(callee.parent.type)
    return callee.in_system_header and any(is_aside(_bare(t)) for t in types)


def left_aside(cursor: Cursor, callee: Cursor, scope: FunctionReader, span: Span) -> Unsupported:
    """The call without what it does. Raises Refused where it would change something else."""
    name = f"'{callee.spelling}'"
    if any(_writes(p) for p in callee.type.canonical.parameters):
        raise Refused("CP0132", span, name)
    operands: list[Expr] = []
    for part in _operands(cursor):
        operands += effects(scope.statements.expressions.read(part))
    type: Type = strip_reference(scope.types.convert(cursor.type, span))
    return left_out(name, VOID if isinstance(type, Void) else decay(type), span, tuple(operands))


def _operands(call: Cursor) -> Iterator[Cursor]:
    """The object, if there is one, and the arguments that are written."""
    for child in call.children():
        inner = child
        while inner.kind in _WRAPPERS and len(parts := [c for c in inner.children() if is_expression(c.kind)]) == 1:
            inner = parts[0]
        if inner.kind == CursorKind.DECL_REF_EXPR and inner.referenced.kind in _FUNCTIONS:
            continue  # std::endl and its like, and the operator itself
        if inner.kind == CursorKind.MEMBER_REF_EXPR and inner.referenced.kind in _FUNCTIONS:
            yield from _operands(inner)
        elif is_expression(inner.kind) and (inner.kind not in _WRAPPERS or inner.children()):  # else a default argument
            yield child


def _bare(type: ClangType) -> ClangType:
    type = type.canonical
    while type.kind in (TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE, TypeKind.POINTER):
        type = type.pointee.canonical
    return type


def _writes(parameter: ClangType) -> bool:
    """Whether numbers may be written through a parameter."""
    type = parameter.canonical
    if type.kind not in (TypeKind.LVALUE_REFERENCE, TypeKind.POINTER):
        return False
    inner = _bare(type)
    return not type.pointee.is_const and inner.kind != TypeKind.FUNCTION_PROTO and not is_aside(inner)
