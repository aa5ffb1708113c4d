"""Names of declarations as C++ must spell them."""

from __future__ import annotations

import re

from cladpy.frontend.kinds import CursorKind, TypeKind
from cladpy.frontend.libclang import Cursor

_PLACE = re.compile(r"\((lambda|anonymous \w+|unnamed \w+) at [^\n]*?:(\d+:\d+)\)")
_SCOPES = (
    CursorKind.NAMESPACE,
    CursorKind.STRUCT_DECL,
    CursorKind.CLASS_DECL,
    CursorKind.UNION_DECL,
    CursorKind.CLASS_TEMPLATE,
)


def qualified_name(cursor: Cursor, *, with_arguments: bool) -> str:
    """`ns::kernel<double, 3>`: without unnamed and inline namespaces, with template arguments where asked for."""
    parts = [cursor.spelling]
    if with_arguments:
        parts[0] += template_arguments(cursor)
    scope = cursor.parent
    while scope.kind in _SCOPES or scope.kind == CursorKind.LINKAGE_SPEC:
        if scope.kind != CursorKind.LINKAGE_SPEC and not scope.is_anonymous and not scope.is_inline_namespace:
            parts.append(scope.spelling)
        scope = scope.parent
    return "::".join(reversed(parts))


def without_paths(spelling: str) -> str:
    """A type's spelling where clang puts the whole path of the file into the names of what has none."""
    return _PLACE.sub(r"(\1 at \2)", spelling).replace("(anonymous namespace)::", "")


def template_arguments(cursor: Cursor) -> str:
    """The arguments of a specialisation; empty for other functions, and where a pack makes C++ deduce them."""
    template = cursor.template
    if template is None:
        return ""
    parameters = [c for c in template.children() if c.kind in (27, CursorKind.NON_TYPE_TEMPLATE_PARAMETER, 29)]
    spelled = []
    for i in range(cursor.template_argument_count):
        text = cursor.template_argument(i)
        if text is None:
            return ""
        if i < len(parameters) and parameters[i].kind == CursorKind.NON_TYPE_TEMPLATE_PARAMETER:
            type = parameters[i].type.canonical
            if type.kind == TypeKind.BOOL:
                text = "true" if text != "0" else "false"
            elif type.kind == TypeKind.ENUM:
                text = f"static_cast<{type.spelling}>({text})"
        spelled.append(without_paths(text))
    return f"<{', '.join(spelled)}>" if spelled else ""
