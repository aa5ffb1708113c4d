"""What objects of std::function hold: a member for each type of callable that the program makes one of.

The class is of cladpy's own headers (`headers/library/bits/std_function.h`). It has the number of the function that
calls what is held, by which a call is one of several (`indirect.py`), and names what is held by its type only,
`cladpy_held<F>(self)`. So it is copied with what it holds, and needs no memory; memory of the program, where the
compiler's own class lies, holds none (`NOWHERE`).
"""

from __future__ import annotations

from collections.abc import Iterable

from cladpy.frontend.libclang import ClangType, Cursor

_NAME = "cladpy_held"
_CONVERSIONS = ("cladpy_function", "cladpy_number")
_CLASS = "std::function<"


def is_held(function: Cursor) -> bool:
    """Whether a function is the one that names a member by its type."""
    return function.spelling == _NAME


def holds_functions(spelling: str) -> bool:
    """Whether a class is std::function, by its name."""
    return spelling.startswith(_CLASS)


def is_conversion(function: Cursor) -> bool:
    """Whether a function makes a number of a pointer to a function, or the other way around: they are the same here."""
    return function.spelling in _CONVERSIONS


def is_invoker(function: Cursor) -> bool:
    """Whether a function is one of those that call what is held."""
    return function.is_static_method and function.in_system_header and holds_functions(function.parent.type.spelling)


class Held:
    """The types that objects of each class hold, in the order in which they are found."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], dict[str, ClangType]] = {}

    def add(self, function: Cursor) -> None:
        """Notes what an instantiation of `cladpy_held` names."""
        held = function.result_type.canonical.pointee.canonical
        self._found.setdefault(function.parent.canonical.key, {}).setdefault(held.spelling, held)

    def of(self, declaration: Cursor) -> Iterable[ClangType]:
        """Those of a class."""
        return self._found.get(declaration.canonical.key, {}).values()
