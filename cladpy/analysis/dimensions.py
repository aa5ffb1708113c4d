"""What tells the threads of a launch apart, and how many of each there are."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.analysis.affine import Affine
from cladpy.ir import core
from cladpy.ir.fold import cast
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import BOOL, LONG, UINT

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
    def facts(self) -> tuple[Affine, ...]:
        """What follows: polynomials that are not negative."""
        return (Affine.of({(core.Use(self.limit),): 1}).plus(self.position, -1).plus(Affine.of({(): 1}), -1),)

    @property
    def condition(self) -> core.Expr:
        return core.Binary(BinaryOp.LE, self.product, cast(core.Use(self.limit), LONG), BOOL)

    @property
    def product(self) -> core.Expr:
        """Of the extents."""
        first, *rest = (cast(core.Builtin(e, UINT), LONG) for e in self.extents)
        for other in rest:
            first = core.Binary(BinaryOp.MUL, first, other, LONG)
        return first

    @property
    def position(self) -> Affine:
        """What the extents count."""
        return next(p for extents, p in _COORDINATES if extents == self.extents)


@dataclass(frozen=True, slots=True)
class Narrow:
    """That blocks have no more than so many threads along an axis."""

    extent: BuiltinVar
    most: int

    def __str__(self) -> str:
        return f"{self.extent.value} <= {self.most}"

    @property
    def facts(self) -> tuple[Affine, ...]:
        index = next(i for i, extent in THREADS.items() if extent is self.extent)
        return (Affine.of({(): self.most - 1}).plus(_of(index), -1),)

    @property
    def condition(self) -> core.Expr:
        return core.Binary(BinaryOp.LE, core.Builtin(self.extent, UINT), core.Const(self.most, UINT), BOOL)


@dataclass(frozen=True, slots=True)
class Whole:
    """That blocks are made of whole groups of so many threads along an axis, as of warps."""

    extent: BuiltinVar
    size: int

    def __str__(self) -> str:
        return f"{self.extent.value} is a multiple of {self.size}"

    @property
    def facts(self) -> tuple[Affine, ...]:
        return ()

    @property
    def condition(self) -> core.Expr:
        rest = core.Binary(BinaryOp.REM, core.Builtin(self.extent, UINT), core.Const(self.size, UINT), UINT)
        return core.Binary(BinaryOp.EQ, rest, core.Const(0, UINT), BOOL)


Premise = Bound | Narrow | Whole  # what may be asked of a launch


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
