"""Arrays of the thread's own that an iteration, or a branch, makes for itself: where loops run once, its reverse makes
them again from what it finds, rather than that each of their loads is kept.

    for (…) { *(float4 *)v = x[i]; for (int j = 0; j < 4; ++j) sum += f(v[j]); }

What fills such an array, and reads it, is in one scope; nothing is stored there after a load. A loop that fills it is
run again, and so has to be made of arithmetic, and of loads from memory that is not overwritten.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import product

from cladpy.analysis.structure import Index
from cladpy.ir import core
from cladpy.ir.walk import statements


def made_again(
    index: Index, made: Mapping[core.Root, Collection[core.Statement]], passes: Collection[core.Statement]
) -> frozenset[core.Root]:
    """`made` has the stores that the gradient makes, by root; `passes` are branches that are part of the pass that is
    around them."""
    found = {
        root
        for root, allocation in index.allocations.items()
        if isinstance(allocation, core.Allocate)
        and root.kind is core.RootKind.LOCAL
        and any(s not in passes for s in index.places[allocation].around)
        and _is_filled_first(root, index, made.get(root, ()))
    }
    while True:
        left = {root for root in found if all(_may_run_again(s, root, index, made, found) for s in made.get(root, ()))}
        if left == found:
            return frozenset(found)
        found = left


def _is_filled_first(root: core.Root, index: Index, stores: Collection[core.Statement]) -> bool:
    """Whether nothing is stored there after a load."""
    pairs = product(index.loads[root], stores)
    return all(isinstance(s, core.Store) and not index.may_precede(load, s, root) for load, s in pairs)


def _may_run_again(
    store: core.Statement,
    root: core.Root,
    index: Index,
    made: Mapping[core.Root, Collection[core.Statement]],
    found: Collection[core.Root],
) -> bool:
    """Whether the loops around a store can be run again in the scope of the array."""
    for loop in index.inside(store, root):
        if isinstance(loop, core.Loop) and not (loop.lanes is None and loop.team is None):
            return False
        for s in statements((loop,)) if isinstance(loop, core.Loop) else ():
            match s:
                case core.Let() | core.If() | core.Loop() | core.Allocate():
                    pass
                case core.Load(root=read) if read in found or not made.get(index.memory(read)):
                    pass
                case core.Store(root=written) if written in found or s not in made.get(index.memory(written), ()):
                    pass
                case _:
                    return False
    return True
