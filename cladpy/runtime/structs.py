"""Classes of C++ as NumPy's structured types: the same bytes, with the names that a user of the class would write.

A base class is a field that is called like the base, without its namespace and template arguments. The members of an
unnamed struct or union are fields of its owner, as in C++. A pointer is an address (`u8`). A bit-field has no field
of its own: NumPy cannot name one; its bits are among the bytes all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cladpy.ir.types import (
    Array,
    Field,
    Opaque,
    Pointer,
    Reference,
    Scalar,
    Struct,
    Type,
    Void,
    is_floating,
    size_of,
    spell,
    vector_in,
)
from cladpy.runtime import scalars


@dataclass(frozen=True, slots=True)
class Member:
    """A field of the structured type: its name there, and where it lies in the object, in bytes."""

    name: str
    type: Type
    offset: int
    base: bool = False


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number or an address in an object, `path` as C++ and Python write it: `pos.x`, `w[2][0]`."""

    path: str
    type: Scalar | Pointer
    offset: int


def dtype_of(type: Type) -> np.dtype[Any]:
    """The NumPy type with the same bytes; an array is a subarray. Raises ValueError for a type without a size."""
    match type:
        case Scalar():
            return scalars.dtype_of(type)
        case Pointer() | Reference():
            return np.dtype("u8")
        case Opaque(spelling) if spelling.endswith("*"):  # a handle
            return np.dtype("u8")
        case Array(element, length):
            extents = [length]
            while isinstance(element, Array):
                extents.append(element.length)
                element = element.element
            return np.dtype((dtype_of(element), tuple(extents)))
        case Struct(record=record):
            members = members_of(type)
            return np.dtype(
                {
                    "names": [m.name for m in members],
                    "formats": [dtype_of(m.type) for m in members],
                    "offsets": [m.offset for m in members],
                    "itemsize": record.size,
                }
            )
        case _:
            raise ValueError(f"{spell(type)} has no size")


def members_of(struct: Struct) -> tuple[Member, ...]:
    """The fields of the structured type, in the order of the class, those of unnamed members in their place."""
    members: list[Member] = []
    taken = {f.name for f, _ in _named(struct) if not f.base}
    for field, offset in _named(struct):
        name = field.name
        if field.base:
            name = _base_name(field, taken)
            taken.add(name)
        members.append(Member(name, field.type, offset, field.base))
    return tuple(members)


def overlap(one: Member, other: Member) -> bool:
    """Whether two members share memory, as those of a union do."""
    first, second = sorted((one, other), key=lambda m: m.offset)
    return second.offset < first.offset + size_of(first.type)


def leaves_of(type: Type, path: str = "", offset: int = 0) -> Iterator[Leaf]:
    """The scalars and pointers of an object, in order. Members of a union that are one number are one leaf."""
    seen: set[tuple[int, Type]] = set()
    for leaf in _leaves(type, path, offset):
        if (leaf.offset, leaf.type) not in seen:
            seen.add((leaf.offset, leaf.type))
            yield leaf


def float_leaves(type: Type) -> tuple[Leaf, ...]:
    """Those with a derivative."""
    return tuple(leaf for leaf in leaves_of(type) if is_floating(leaf.type))


def alignment_of(type: Type) -> int:
    """What the address of an object is a multiple of."""
    match type:
        case Array(element):
            return alignment_of(element)
        case Struct(record=record):
            return record.alignment
        case Void() | Opaque():
            return 1
        case _:
            return size_of(type)


def uniform_scalar(type: Type) -> tuple[Scalar, int] | None:
    """The scalar and their number where an object is nothing but scalars of one type: `float4` is four floats."""
    leaves = tuple(leaves_of(type))
    if not leaves or not isinstance(leaves[0].type, Scalar):
        return None
    scalar = leaves[0].type
    width = size_of(scalar)
    packed = sorted(leaf.offset for leaf in leaves) == [k * width for k in range(len(leaves))]
    if any(leaf.type != scalar for leaf in leaves) or not packed or size_of(type) != width * len(leaves):
        return None
    return scalar, len(leaves)


def _named(struct: Struct, offset: int = 0) -> Iterator[tuple[Field, int]]:
    for field in struct.fields:
        if field.bits is not None:
            continue
        if not field.name and not field.base and isinstance(field.type, Struct):
            yield from _named(field.type, offset + field.offset)
        elif field.base and isinstance(field.type, Struct) and not field.type.fields:
            continue  # an empty base has no bytes of its own
        else:
            yield field, offset + field.offset


def _base_name(field: Field, taken: set[str]) -> str:
    """`Vec` of `ns::Vec<double>`; with the arguments where two bases would share the name."""
    assert isinstance(field.type, Struct)
    full = _unqualified(field.type.spelling)
    short = full.partition("<")[0]
    name = full if short in taken else short
    while name in taken:
        name += "_"
    return name


def _unqualified(spelling: str) -> str:
    """What follows the last `::` that is not within template arguments."""
    depth = start = 0
    for k, character in enumerate(spelling):
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
        if depth == 0 and spelling.startswith("::", k):
            start = k + 2
    return spelling[start:]


def _leaves(type: Type, path: str, offset: int) -> Iterator[Leaf]:
    match type:
        case Scalar() | Pointer():
            yield Leaf(path, type, offset)
        case Reference(referee, const):
            yield Leaf(path, Pointer(referee, const), offset)
        case Array(element, length):
            for k in range(length):
                yield from _leaves(element, f"{path}[{k}]", offset + k * size_of(element))
        case Struct() if (data := vector_in(type)) is not None:
            yield Leaf(path, data, offset)
        case Struct():
            for member in members_of(type):
                inner = f"{path}.{member.name}" if path else member.name
                yield from _leaves(member.type, inner, offset + member.offset)
        case Opaque():  # text, a handle
            return
        case _:
            raise ValueError(f"{spell(type)} has no size")
