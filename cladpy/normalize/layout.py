"""Memory seen as another type of the same numbers: an object as the array of its members, an array as objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cladpy.ir.access import Access
from cladpy.ir.types import Array, Field, Scalar, ScalarKind, Struct, Type, size_of
from cladpy.normalize.places import element_of, scalars_in

_VECTOR = re.compile(r"u?(?:char|short|int|long|longlong|float|double)[24]")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number in an object: the members that lead to it, each with an index where it is an array."""

    steps: tuple[tuple[Field, int | None], ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A number in an object with the C++ text that leads to it, as in core.Leaf."""

    steps: tuple[tuple[Field, int | None], ...]
    text: str
    name: str
    type: Scalar


def leaves(type: Struct, element: Scalar) -> dict[int, Leaf]:
    """The numbers of one type in an object, by their position as if the object were an array of that type."""
    size = size_of(element)
    return {offset // size: leaf for offset, leaf, of in _leaves(type, 0, ()) if of == element and offset % size == 0}


def number_at(type: Struct, offset: int) -> Scalar | None:
    """The type of the number that lies some bytes from the beginning of an object."""
    return next((of for begin, of in numbers_in(type) if begin == offset), None)


def numbers_in(type: Struct) -> list[tuple[int, Scalar]]:
    """The numbers of an object, and how many bytes from its beginning each lies."""
    return [(begin, of) for begin, _, of in _leaves(type, 0, ())]


def _leaves(
    type: Struct, start: int, steps: tuple[tuple[Field, int | None], ...]
) -> Iterator[tuple[int, Leaf, Scalar]]:
    fields = type.fields[:1] if type.record.is_union else type.fields
    for field in fields:
        if field.bits is not None:
            continue
        of = element_of(field.type)
        count = scalars_in(field.type) if isinstance(field.type, Array) else None
        for i in range(1 if count is None else count):
            here = (*steps, (field, None if count is None else i))
            offset = start + field.offset + i * (size_of(of) if isinstance(of, Scalar | Struct) else 8)
            if isinstance(of, Struct):
                yield from _leaves(of, offset, here)
            elif isinstance(of, Scalar):
                yield offset, Leaf(here), of


def members_of(
    type: Struct, steps: tuple[tuple[Field, int | None], ...] = (), way: Access | None = None
) -> Iterator[Member]:
    """The numbers of an object that can be taken apart, in order."""
    for field in type.fields:
        here = (way or Access(type)).member(field)
        of = element_of(field.type)
        for i in range(scalars_in(field.type)) if isinstance(field.type, Array) else (None,):
            at = here
            if i is not None:
                index = _subscripts(field.type, i)
                at = Access(of, here.text + index, 0, here.name + index)
            if isinstance(of, Struct):
                yield from members_of(of, (*steps, (field, i)), at)
            elif isinstance(of, Scalar):
                yield Member((*steps, (field, i)), at.text, at.name, of)


def _subscripts(type: Type, i: int) -> str:
    """An element of an array of several dimensions by its position."""
    if not isinstance(type, Array):
        return ""
    inner = scalars_in(type.element)
    return f"[{i // inner}]{_subscripts(type.element, i % inner)}"


def comes_apart(type: Type) -> bool:
    """Whether an object is nothing but numbers with names of their own: no pointers, unions or bit-fields."""
    type = element_of(type)
    if isinstance(type, Struct):
        return not type.record.is_union and all(f.bits is None and comes_apart(f.type) for f in type.fields)
    return isinstance(type, Scalar)


_BYTES = (ScalarKind.CHAR, ScalarKind.SCHAR, ScalarKind.UCHAR)


def is_made_of(type: Type, element: Scalar) -> bool:
    """Whether an object is nothing but numbers of one type, one after the other."""
    if not isinstance(type, Struct) or type.record.is_union:
        return type == element
    return size_of(type) % size_of(element) == 0 and len(leaves(type, element)) * size_of(element) == size_of(type)


def only_number(type: Struct) -> Scalar | None:
    """The type of the numbers that an object is made of, one after the other, if they are of one type."""
    first = next((m.type for m in members_of(type)), None) if comes_apart(type) else None
    return first if first is not None and is_made_of(type, first) else None


def is_vector(type: Struct) -> bool:
    """Whether it is one of CUDA's vectors that are loaded as a whole: float2 and float4, int4, double2."""
    return _VECTOR.fullmatch(type.spelling) is not None and type.record.alignment == size_of(type)


def stride(type: Struct, element: Scalar) -> int | None:
    """How many numbers lie between objects of an array; None where that is no whole number."""
    count, rest = divmod(size_of(type), size_of(element))
    return count if rest == 0 else None


def unit_of_bytes(type: Type) -> int | None:
    """The size of what is nothing but bytes: a character, or std::aligned_storage. None for other types."""
    if isinstance(type, Scalar):
        return 1 if type.kind in _BYTES else None
    if not isinstance(type, Struct) or not type.record.is_union:
        return None
    held = [f.type for f in type.fields if not (isinstance(f.type, Struct) and not f.type.fields)]
    bytes_alone = len(held) == 1 and isinstance(held[0], Array) and unit_of_bytes(element_of(held[0])) == 1
    return size_of(type) if bytes_alone else None
