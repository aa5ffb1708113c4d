"""The parts of a `for` statement, any of which may be missing: clang's tree lists only those that are there."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.diagnostics import Span
from cladpy.frontend.files import Files
from cladpy.frontend.kinds import CursorKind, TypeKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import Refused


@dataclass(frozen=True, slots=True)
class ForParts:
    init: Cursor | None
    declared: Cursor | None  # the variable of `for (; T x = e; )`, which `condition` then reads
    condition: Cursor | None
    step: Cursor | None
    body: Cursor


def for_parts(cursor: Cursor, files: Files, span: Span) -> ForParts:
    """Raises Refused where a macro hides which parts are missing."""
    children = cursor.children()
    body = children.pop()
    declared: Cursor | None = None
    for i, child in enumerate(children):
        if child.kind == CursorKind.VAR_DECL:
            declared = children.pop(i)
            break
    if len(children) == 3:
        return ForParts(children[0], declared, children[1], children[2], body)
    if not children:
        return ForParts(None, None, None, None, body)
    header = files.header(cursor, b"for")
    init: Cursor | None = None
    condition: Cursor | None = None
    step: Cursor | None = None
    if header is not None and len(header.semicolons) == 2:
        first, second = header.semicolons
        for child in children:
            offset = child.extent()[3]
            if offset < first:
                init = child
            elif offset < second:
                condition = child
            else:
                step = child
        if sum(part is not None for part in (init, condition, step)) == len(children):
            return ForParts(init, declared, condition, step, body)
        raise Refused("CP0129", span, "for statement")
    # Out of a macro's body. A declaration is the init, and the only part of type bool the condition.
    rest = list(children)
    if rest[0].kind == CursorKind.DECL_STMT:
        init = rest.pop(0)
    if len(rest) == 1 and init is not None:
        condition, step = (rest[0], None) if _is_bool(rest[0]) else (None, rest[0])
    elif len(rest) == 2 and init is None and _is_bool(rest[0]) != _is_bool(rest[1]):
        init, condition, step = (None, rest[0], rest[1]) if _is_bool(rest[0]) else (rest[0], rest[1], None)
    elif rest:
        raise Refused("CP0129", span, "for statement")
    return ForParts(init, declared, condition, step, body)


def _is_bool(cursor: Cursor) -> bool:
    is_assignment = cursor.kind == CursorKind.BINARY_OPERATOR and cursor.binary_operator in ("=", ",")
    return cursor.type.canonical.kind == TypeKind.BOOL and not is_assignment
