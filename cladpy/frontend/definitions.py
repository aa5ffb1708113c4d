"""The functions that a program's own files define."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor

_FUNCTIONS = (
    CursorKind.FUNCTION_DECL,
    CursorKind.FUNCTION_TEMPLATE,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
)
_SCOPES = (
    CursorKind.NAMESPACE,
    CursorKind.LINKAGE_SPEC,
    CursorKind.STRUCT_DECL,
    CursorKind.CLASS_DECL,
    CursorKind.UNION_DECL,
    CursorKind.CLASS_TEMPLATE,
)


def definitions(scope: Cursor) -> Iterator[Cursor]:
    """The functions that the user's own files define, members of classes included."""
    for child in scope.children():
        if child.in_system_header and not child.in_main_file:
            continue
        if child.kind in _FUNCTIONS:
            yield child
        elif child.kind in _SCOPES:
            yield from definitions(child)
