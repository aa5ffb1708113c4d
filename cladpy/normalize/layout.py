"""Memory seen as another type of the same numbers: an object as the array of its members, an array as objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cladpy.ir.types import Array, Field, Scalar, Struct, Type, size_of
from cladpy.normalize.places import element_of, scalars_in


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number in an object: the members that lead to it, each with an index where it is an array."""

    steps: tuple[tuple[Field, int | None], ...]


def leaves(type: Struct, element: Scalar) -> dict[int, Leaf]:
    """The numbers of one type in an object, by their position as if the object were an array of that type."""
    size = size_of(element)
    return {offset // size: leaf for offset, leaf, of in _leaves(type, 0, ()) if of == element and offset % size == 0}


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


def is_made_of(type: Type, element: Scalar) -> bool:
    """Whether an object is nothing but numbers of one type, one after the other."""
    if not isinstance(type, Struct) or type.record.is_union:
        return type == element
    return size_of(type) % size_of(element) == 0 and len(leaves(type, element)) * size_of(element) == size_of(type)


def stride(type: Struct, element: Scalar) -> int | None:
    """How many numbers lie between objects of an array; None where that is no whole number."""
    count, rest = divmod(size_of(type), size_of(element))
    return count if rest == 0 else None
