"""What tells the threads of a launch apart, and how many of each there are."""

from __future__ import annotations

from cladpy.ir.surface import BuiltinVar

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
