"""What tells the threads of a launch apart, and how many of each there are."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.analysis.affine import Affine
from cladpy.ir import core
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.types import UINT

THREADS = {
    BuiltinVar.THREAD_X: BuiltinVar.BLOCK_DIM_X,
    BuiltinVar.THREAD_Y: BuiltinVar.BLOCK_DIM_Y,
    BuiltinVar.THREAD_Z: BuiltinVar.BLOCK_DIM_Z,
}
BLOCKS = {
    BuiltinVar.BLOCK_X: BuiltinVar.GRID_DIM_X,
    BuiltinVar.BLOCK_Y: BuiltinVar.GRID_DIM_Y,
    BuiltinVar.BLOCK_Z: BuiltinVar.GRID_DIM_Z,
}
INDICES = {**THREADS, **BLOCKS}
PLANES = frozenset(extent for extent in INDICES.values() if not extent.value.endswith(".x"))
NO_EXTENTS: frozenset[BuiltinVar] = frozenset()


def names(single: frozenset[BuiltinVar]) -> str:
    """The extents that a proof takes to be 1, in words."""
    if single == PLANES:
        return "in a launch of one dimension"
    listed = sorted(extent.value for extent in single)
    return f"where {' and '.join(listed)} {'is' if len(listed) == 1 else 'are'} 1"


@dataclass(frozen=True, slots=True)
class Bound:
    """That a launch has no more threads along an axis than a parameter says: the product of `extents` is at most
    `limit`."""

    extents: tuple[BuiltinVar, ...]
    limit: core.Value

    def __str__(self) -> str:
        return f"{' * '.join(e.value for e in self.extents)} <= {self.limit.name}"

    @property
    def fact(self) -> Affine:
        """What follows, as a polynomial that is not negative."""
        return Affine.of({(core.Use(self.limit),): 1}).plus(self.position, -1).plus(Affine.of({(): 1}), -1)

    @property
    def position(self) -> Affine:
        """What the extents count."""
        return next(p for extents, p in _COORDINATES if extents == self.extents)


def _of(variable: BuiltinVar) -> Affine:
    return Affine.of({(core.Builtin(variable, UINT),): 1})


# Where a thread is along an axis of the launch, or its block, by what counts it.
_COORDINATES = tuple(
    pair
    for (thread, size), (block, count) in zip(THREADS.items(), BLOCKS.items(), strict=True)
    for pair in (((count, size), _of(block).times(_of(size)).plus(_of(thread))), ((count,), _of(block)))
)
COORDINATES = tuple(position for _, position in _COORDINATES)


def coordinate(polynomial: Affine) -> tuple[BuiltinVar, ...] | None:
    """The extents whose product counts what a polynomial numbers, if that is where a thread or block is along an
    axis."""
    return next((extents for extents, position in _COORDINATES if position == polynomial), None)
