"""Which declarations are marked: `__attribute__((annotate("nondifferentiable")))`, or with Clad's spelling of it."""

from __future__ import annotations

from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor

_ANNOTATIONS = ("nondifferentiable", "non_differentiable")


def is_marked(*declarations: Cursor | None) -> bool:
    """Whether one of these declarations of the same thing has the mark."""
    return any(
        child.kind == CursorKind.ANNOTATE_ATTR and child.spelling in _ANNOTATIONS
        for declaration in declarations
        if declaration is not None
        for child in declaration.children()
    )


def is_marked_variable(declaration: Cursor) -> bool:
    """Whether a variable is marked, or the class that it is an object of, or leads to."""
    if is_marked(declaration, declaration.canonical):
        return True
    type = declaration.type.canonical
    while type.pointee.kind:
        type = type.pointee.canonical
    return is_marked(type.declaration)
