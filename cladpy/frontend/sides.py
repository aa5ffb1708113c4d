"""The two sides of a CUDA file: host code is read as the host's compiler sees it, kernels as the device's does.

Where the text of a program asks for __CUDA_ARCH__ the two may differ. Both are parsed then, and joined by what libclang
calls the USR of a declaration, which is the same on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor

_SCOPES = (
    CursorKind.TRANSLATION_UNIT,
    CursorKind.NAMESPACE,
    CursorKind.LINKAGE_SPEC,
    CursorKind.STRUCT_DECL,
    CursorKind.CLASS_DECL,
)


class DeviceSide:
    """The kernels of a file as the device's compiler sees them."""

    def __init__(self, root: Cursor) -> None:
        self._declared = {c.usr: c for c in _functions(root)}
        self._instances: dict[str, Cursor] | None = None

    def kernel(self, cursor: Cursor) -> Cursor | None:
        """The same kernel as one of the host's side."""
        usr = cursor.usr
        if cursor.template is None:
            return self._declared.get(usr)
        if self._instances is None:
            self._instances = self._referenced()
        return self._instances.get(usr)

    def _referenced(self) -> dict[str, Cursor]:
        """The specialisations that any function of the file names, those of templates with what they are made for."""
        found: dict[str, Cursor] = {}
        waiting = list(self._declared.values())
        seen = {c.key for c in waiting}
        while waiting:
            for child in waiting.pop().children():
                named = child.referenced if child.kind == CursorKind.DECL_REF_EXPR else None
                if named is not None and named.kind in (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD):
                    found.setdefault(named.usr, named)
                    if named.template is not None and named.key not in seen and not named.in_system_header:
                        seen.add(named.key)
                        waiting.append(named.definition or named)
                waiting.append(child)
        return found


def _functions(scope: Cursor) -> Iterator[Cursor]:
    """The functions that the user's files define outside of templates."""
    for child in scope.children():
        if child.in_system_header:
            continue
        if child.kind in (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR):
            if child.definition is not None:
                yield child.definition
        elif child.kind in _SCOPES:
            yield from _functions(child)
