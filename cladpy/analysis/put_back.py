"""Shared memory that the reverse sweep puts back, so that what a branch has loaded from it can be loaded again.

A loop that overwrites shared memory would keep all that it has loaded from there. Where its stores keep what they
overwrite instead, and the reverse sweep stores that again, memory holds at the reverse of each statement what it held
at the statement itself. Threads do not get in each other's way: the reverse sweep waits wherever the original does, and
between two barriers each thread loads and stores where it did so then, where nobody else may have stored.

What is loaded again is loaded at the reverse of the branch that it stands in, which is a pass of its own
(`adjoint.sweep`): statements of the loop's body itself are run again at the beginning of an iteration's pass, when
memory is as the iteration has left it. So no barrier may stand in the branch, the branch itself must not store to the
memory, and must give nothing that is asked for outside of it. It is done where it takes fewer slots.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cladpy.analysis.structure import Index
from cladpy.ir import core
from cladpy.ir.walk import defined, statements


@dataclass(frozen=True, slots=True)
class PutBack:
    """The loads that are made again, and the stores that are undone for their sake."""

    loads: frozenset[core.Load] = frozenset()
    stores: frozenset[core.Store] = frozenset()


def put_back(
    index: Index, kept: Collection[core.Value], again: Collection[core.Value], made: Collection[core.Statement]
) -> PutBack:
    """What is put back rather than kept: `kept` are the values that could not be had again, `again` those wanted
    after the first pass, `made` the stores that the gradient makes."""
    chosen = PutBack()
    for memory, loads in index.loads.items():
        root = _followed(index, memory)
        if root is None:
            continue
        repeated = {s for s in loads if s.value in kept and _is_repeated(index, s, again)}
        stores = [s for s in index.stores[memory] if isinstance(s, core.Store) and s in made]
        undone = {s for s in stores if any(index.may_precede(load, s, root) for load in repeated)}
        if sum(bool(index.places[s].loops()) for s in undone) < len(repeated):
            chosen = PutBack(chosen.loads | repeated, chosen.stores | undone)
    return chosen


def _followed(index: Index, memory: core.Root) -> core.Root | None:
    """The array that all loads and stores go to which have to do with shared memory; None where anything else has, or
    where it is not one array for the whole kernel."""
    writes = index.stores[memory]
    roots = {s.root for s in (*index.loads[memory], *writes) if isinstance(s, core.Load | core.Store)}
    root = roots.pop()
    allocation = index.allocations.get(root)
    if roots or root.kind is not core.RootKind.SHARED or allocation is None or index.places[allocation].loops():
        return None
    called = any(memory in index.touched(s) for s in index.places if isinstance(s, core.Call))
    return None if called or not all(isinstance(s, core.Store) for s in writes) else root


def _is_repeated(index: Index, load: core.Load, again: Collection[core.Value]) -> bool:
    """Whether a load can be made again at the reverse of the branch that it stands in."""
    around = index.places[load].around
    loop = next((i for i, s in enumerate(around) if isinstance(s, core.Loop)), None)
    if loop is None or loop + 1 == len(around):
        return False
    branch = around[loop + 1]
    if not isinstance(branch, core.If) or any(v in again for v in defined(branch)):
        return False
    waits = core.Barrier | core.Collective | core.Call | core.Loop
    memory = index.memory(load.root)
    inside = statements((*branch.then, *branch.other))
    return not any(isinstance(s, waits) or memory in index.written(s) for s in inside)
