"""What is passed for an argument: the bytes of a value, and the memory that the pointers among them lead to."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cladpy.ir.types import Struct
from cladpy.ir.views import view_class
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.returned import Returned

Bytes: TypeAlias = "ctypes.Array[ctypes.c_uint8]"


@dataclass(frozen=True, slots=True)
class Place:
    """A pointer in a block. It leads to an array, or to further bytes that are made for the call."""

    offset: int
    name: str  # of the argument or its part, for messages: "view.data", "rows[3]"
    target: ArrayView | Block
    count: int  # elements there
    alignment: int
    written: bool  # whether the call may store through it
    vector: Struct | None = None  # the class whose elements these are: a vector has more bytes that say where they lie


@dataclass(frozen=True, slots=True)
class Block:
    """Bytes of C++; where a pointer lies among them, they are filled in for the call. A pointer without a place is as
    the bytes say: null, or an address that the caller gave."""

    data: NDArray[np.uint8]
    places: tuple[Place, ...] = ()
    nulls: tuple[str, ...] = ()  # names of null pointers, those that the places lead to as well
    # where pointers are addresses that the caller gave: the names of tables of them, and of objects, with a dot
    opaque: tuple[str, ...] = ()
    returned: tuple[Returned, ...] = ()  # numbers that the call may change

    @property
    def nbytes(self) -> int:
        return self.data.size

    def all_places(self) -> Iterator[Place]:
        """Those of the blocks that the places lead to as well."""
        for place in self.places:
            yield place
            if isinstance(place.target, Block):
                yield from place.target.all_places()

    def arrays(self) -> Iterator[tuple[Place, ArrayView]]:
        for place in self.all_places():
            if isinstance(place.target, ArrayView):
                yield place, place.target

    def replaced(self, other: Callable[[Place, ArrayView], ArrayView]) -> Block:
        """A copy with other arrays in place of those that the pointers lead to."""
        places = []
        for place in self.places:
            target = place.target
            inner = target.replaced(other) if isinstance(target, Block) else other(place, target)
            places.append(replace(place, target=inner))
        return Block(self.copied(), tuple(places), self.nulls, self.opaque, self.returned)

    def copied(self) -> NDArray[np.uint8]:
        """A copy of the bytes."""
        data = aligned_bytes(self.nbytes, 64)
        data[:] = self.data
        return data

    def bring_back(self) -> None:
        """Gives what the call has changed in the bytes to the caller."""
        for returned in self.returned:
            returned.bring_back(self.data)
        for place in self.places:
            if isinstance(place.target, Block):
                place.target.bring_back()

    def take(self, other: Block) -> None:
        """Takes over what a call has changed in a copy of this."""
        for returned in self.returned:
            returned.within(self.data)[:] = returned.within(other.data)
        for own, place in zip(self.places, other.places, strict=True):
            if isinstance(own.target, Block) and isinstance(place.target, Block):
                own.target.take(place.target)

    def fill(self, address: Callable[[Place], int]) -> Bytes:
        """The bytes with the addresses in them: the block's own memory, which it keeps alive."""
        first = self.data.ctypes.data
        for place in self.places:
            at = ctypes.c_uint64.from_address(first + place.offset).value = address(place)
            if place.vector is not None and view_class(place.vector) is None:
                _complete(first + place.offset, place, at)
        return (ctypes.c_uint8 * self.nbytes).from_address(first)


def _complete(first: int, place: Place, at: int) -> None:
    """The rest of a vector: where libstdc++ has its end and that of its memory, Thrust's on the host its size."""
    assert place.vector is not None
    is_standard = any(f.name == "capacity_" for f in place.vector.fields)
    rest = [at + place.target.nbytes] * 2 if is_standard else [place.count]
    for k, value in enumerate(rest):
        ctypes.c_uint64.from_address(first + 8 * (k + 1)).value = value


def aligned_bytes(size: int, alignment: int = 8) -> NDArray[Any]:
    """Zeros at an address that is a multiple of `alignment`."""
    memory = np.zeros(size + alignment, np.uint8)
    first = -memory.ctypes.data % alignment
    return memory[first : first + size]
