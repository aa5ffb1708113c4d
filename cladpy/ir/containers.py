"""Containers of the C++ library, by the names of their classes."""

from __future__ import annotations

from cladpy.ir.types import Pointer, Scalar, Struct, Type, is_floating

_NAMES = (
    "deque list forward_list map multimap priority_queue queue set multiset stack unordered_map unordered_multimap "
    "unordered_set unordered_multiset vector"
)
_BEGINNINGS = tuple(f"std::{name}<" for name in _NAMES.split())


def is_pool(type: Type) -> bool:
    """Whether objects of a class may be pools of memory: containers of pointers, or of what holds some, and classes
    that are made of such containers and of integers."""
    if not isinstance(type, Struct):
        return False
    inner = [f.type for f in type.fields]
    if type.spelling.startswith(_BEGINNINGS):
        return "*" in type.spelling or any(map(_leads_to_pointers, inner))
    others = (t for t in inner if not is_pool(t))
    return any(map(is_pool, inner)) and all(isinstance(t, Scalar) and not is_floating(t) for t in others)


def _leads_to_pointers(type: Type) -> bool:
    return (
        isinstance(type, Pointer)
        and isinstance(type.pointee, Struct)
        and any(isinstance(f.type, Pointer) for f in type.pointee.fields)
    )
