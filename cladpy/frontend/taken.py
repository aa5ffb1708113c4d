"""The names at global scope that an emitted file must not give again."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.diagnostics import Span
from cladpy.frontend.files import Files
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor

_FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE)


def taken_names(unit: Cursor, prefix: str, files: Files) -> tuple[tuple[str, Span], ...]:
    """The names of this beginning that the user's files define, and where. A function that is only declared is none:
    what is emitted may be its definition."""
    found: dict[str, Span] = {}
    for declaration in _at_global_scope(unit):
        name = declaration.spelling
        if name.startswith(prefix) and (declaration.kind not in _FUNCTIONS or declaration.definition is not None):
            found.setdefault(name, files.span(declaration.definition or declaration))
    return tuple(sorted(found.items(), key=lambda item: item[0]))


def _at_global_scope(scope: Cursor) -> Iterator[Cursor]:
    for child in scope.children():
        if child.in_system_header:
            continue
        if child.kind == CursorKind.LINKAGE_SPEC or _is_part(child):
            yield from _at_global_scope(child)
        else:
            yield child
            if child.kind == CursorKind.ENUM_DECL:
                yield from child.children()


def _is_part(scope: Cursor) -> bool:
    """Whether names of a namespace are names of that around it too."""
    return scope.kind == CursorKind.NAMESPACE and (scope.is_anonymous or scope.is_inline_namespace)
