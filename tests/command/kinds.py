"""What a gradient is made of: kinds of nodes in its primals and in generated code, and the rules that it applies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from cladpy import known
from cladpy.adjoint.gradient import Gradient
from cladpy.derivatives import lookup
from cladpy.ir import code, core

_GRAMMARS = (core.__name__, code.__name__)


def kinds_of(gradient: Gradient) -> frozenset[str]:
    return frozenset(_kinds(gradient))


def _kinds(gradient: Gradient) -> Iterator[str]:
    seen: set[int] = set()
    waiting: list[Any] = [gradient]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Enum):
            if type(node).__module__ in _GRAMMARS:
                yield f"{type(node).__name__}.{node.name}"
        elif isinstance(node, tuple | list | set | frozenset):
            waiting += node
        elif isinstance(node, dict):
            waiting += node.values()
        elif is_dataclass(node) and id(node) not in seen:
            seen.add(id(node))
            if type(node).__module__ in _GRAMMARS:
                yield f"{type(node).__module__.rpartition('.')[2]}.{type(node).__name__}"
            yield from _rules(node)
            waiting += (getattr(node, f.name) for f in fields(node))


def _rules(node: object) -> Iterator[str]:
    match node:
        case core.Math() if lookup(node.callee.name) is not None:
            yield f"rule {node.callee.name}"
        case core.Collective() if isinstance(known.of(node.callee.name), known.Collective):
            yield f"rule {node.callee.name}"
