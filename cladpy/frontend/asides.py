"""Calls about text and streams, of the C++ library and of functions with `...` that log: a gradient leaves them
out, but for what their operands do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.library import ends_program
from cladpy.frontend.refused import Refused, effects, left_out
from cladpy.frontend.types import is_aside, is_handle
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
_CHARACTERS = (TypeKind.CHAR_S, TypeKind.CHAR_U)
_WRAPPERS = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR)


def concerns_text(callee: Cursor) -> bool:
    """Whether a function of the C++ library is about text or streams."""
    type = callee.type.canonical
    types = [*type.parameters, type.result]
    if callee.kind in (CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.CONVERSION_FUNCTION):
        types.append(callee.parent.type)
    if callee.kind == CursorKind.CONSTRUCTOR and "va_list" in callee.parent.spelling:
        return True
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


def only_logs(callee: Cursor, arguments: Sequence[Cursor]) -> bool:
    """Whether all that a function of the user's with `...` may do is to show or note something: it is given numbers and
    text, and neither it nor what it calls names a variable that lasts and may hold numbers, or ends the program."""
    given = [*callee.type.canonical.parameters, *(a.type.canonical for a in arguments)]
    return not any(_writes(t) and not _is_text(t) for t in given) and _touches_nothing(callee, set())


def logged(cursor: Cursor, callee: Cursor, scope: FunctionReader, span: Span) -> Unsupported:
    """The call without what it does: it is refused only where its value matters."""
    operands: list[Expr] = []
    for argument in cursor.arguments:
        operands += effects(scope.statements.expressions.read(argument))
    type = scope.types.convert(callee.type.canonical.result, span)
    return Refused("CP0109", span, f"'{callee.spelling}'").instead(type, span, tuple(operands))


def _touches_nothing(callee: Cursor, seen: set[tuple[int, int]]) -> bool:
    """Of a function and what it calls, but for what is `seen`."""
    if callee.in_system_header or callee.spelling.startswith("__builtin_"):
        return not ends_program(callee.spelling)
    definition = callee.definition
    if definition is None:
        return False
    waiting = [] if definition.key in seen else definition.children()
    seen.add(definition.key)
    while waiting:
        part = waiting.pop()
        waiting += part.children()
        named = part.referenced
        of_text = part.kind == CursorKind.CALL_EXPR and not named.is_null and concerns_text(named)
        if part.kind == CursorKind.CALL_EXPR and named.kind != CursorKind.FUNCTION_DECL and not of_text:
            return False  # of an object, or by a pointer
        if part.kind != CursorKind.DECL_REF_EXPR:
            continue
        if named.kind == CursorKind.FUNCTION_DECL and not _touches_nothing(named, seen):
            return False
        if named.kind == CursorKind.VAR_DECL and not (_is_local(named) or named.type.is_const or _is_text(named.type)):
            return False
    return True


def _is_local(variable: Cursor) -> bool:
    return variable.parent.kind == CursorKind.FUNCTION_DECL and not variable.is_static_storage


def _is_text(type: ClangType) -> bool:
    """Whether a type leads to characters, text or a stream."""
    inner = _bare(type)
    while inner.kind == TypeKind.CONSTANT_ARRAY:
        inner = _bare(inner.element)
    return (
        inner.kind in _CHARACTERS or is_aside(inner) or (inner.kind == TypeKind.RECORD and is_handle(inner.declaration))
    )


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
