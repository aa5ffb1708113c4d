"""Functions of headers that users never see, cladpy's own and the C++ library's: what is said of them is said of their
calls, and emitted code quotes these."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

from cladpy.diagnostics import Span
from cladpy.ir import surface as s
from cladpy.resources import custom_derivatives_dir


def is_stand_in(function: s.Function) -> bool:
    """Whether a function is cladpy's own, of the headers that stand in for CUDA's."""
    return function.span.file.startswith(_own())


@cache
def _own() -> str:
    return str(custom_derivatives_dir())


def at_call(function: s.Function, span: Span) -> s.Function:
    """The function as if all of it stood where it is called."""
    found = _at(function, span)
    assert isinstance(found, s.Function)
    return found


def _at(node: Any, span: Span) -> Any:
    match node:
        case Span():
            return span
        case tuple():
            return tuple(_at(inner, span) for inner in node)
        case _:
            changes = {
                name: new
                for name in _fields(node.__class__)
                if (new := _at(old := getattr(node, name), span)) is not old
            }
            return dataclasses.replace(node, **changes) if changes else node


@cache
def _fields(kind: type) -> tuple[str, ...]:
    """The fields of a class of the surface grammar; nothing else holds spans that are to change."""
    if kind.__module__ != s.__name__ or not dataclasses.is_dataclass(kind):
        return ()
    return tuple(f.name for f in dataclasses.fields(kind))
