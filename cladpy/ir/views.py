"""Views of Kokkos as arrays: what a view holds beside the pointer to its elements, as the class that is read has it.

An array has a view's dimensions in the order in which they lie in memory: of `LayoutLeft` the last one first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cladpy.diagnostics import LaunchError
from cladpy.ir.types import Pointer, Struct, Type, scalar_of, spell, strip_reference, vector_in

_VIEW = "Kokkos::View<"
_LEFT = "Kokkos::LayoutLeft"


@dataclass(frozen=True, slots=True)
class Words:
    """Where a view has its parts, in bytes: the pointer, and of each dimension the extent and what strides it has."""

    data: int
    extents: tuple[int, ...]
    strides: tuple[tuple[int, ...], ...]

    @property
    def steps(self) -> tuple[int, ...]:
        """Where the stride of each dimension is said."""
        return tuple(places[0] for places in self.strides)


def view_class(type: Type) -> Struct | None:
    """The class of a view that a type is, refers or leads to; None where it is another."""
    inner = strip_reference(type)
    inner = inner.pointee if isinstance(inner, Pointer) else inner
    return inner if isinstance(inner, Struct) and inner.spelling.startswith(_VIEW) else None


def spelled(view: Struct, adjoint: bool) -> str:
    """The class of a view as C++ names it, or that of its adjoint, whose numbers are not const."""
    return spell(view).replace(f"{_VIEW}const ", _VIEW) if adjoint else spell(view)


def words_of(view: Struct) -> Words:
    places = dict(_places(view, 0))
    rank = sum(name.startswith("extent_") for name in places)
    strides = tuple(
        tuple(places[name] for name in (f"stride_{k}_", f"asked_stride_{k}_", f"unit_{k}_") if name in places)
        for k in range(rank)
    )
    extents = tuple(places[f"extent_{k}_"] for k in range(rank))
    return Words(places["data_"], extents, strides)


def described(name: str, view: Struct, shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """What a view over an array of this shape holds, and where. Raises LaunchError for another number of dimensions."""
    words = words_of(view)
    rank = len(words.extents)
    data = vector_in(view)
    assert data is not None
    apart = isinstance(scalar_of(data.pointee), Struct) and len(shape) == rank + 1  # each number of an object
    extents = shape[:rank] if apart else shape if rank else ()
    if len(extents) != rank or (not rank and shape not in ((), (1,))):
        wanted = f"{rank} dimensions" if rank > 1 else "one dimension" if rank else "one element"
        raise LaunchError(f"{name}: {spell(view)} is an array of {wanted}, not one of shape {shape}")
    step = 1
    in_memory = list(range(rank)) if _LEFT in view.spelling else list(range(rank))[::-1]
    for k, extent in zip(in_memory, reversed(extents), strict=True):
        yield words.extents[k], extent
        for place in words.strides[k]:
            yield place, step
        step *= extent


def _places(struct: Struct, offset: int) -> Iterator[tuple[str, int]]:
    for field in struct.fields:
        if field.base and isinstance(field.type, Struct):
            yield from _places(field.type, offset + field.offset)
        else:
            yield field.name, offset + field.offset
