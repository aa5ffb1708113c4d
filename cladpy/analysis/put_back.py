"""Shared memory that the reverse sweep puts back, so that what a branch has loaded from it can be loaded again.

A loop that overwrites shared memory would keep all that it has loaded from there. Where its stores keep what they
overwrite instead, and the reverse sweep stores that again, memory holds at the reverse of each statement what it held
at the statement itself. Threads do not get in each other's way: the reverse sweep waits wherever the original does, and
between two barriers each thread loads and stores where it did so then, where nobody else may have stored.

What is loaded again is loaded at the reverse of the branch that it stands in, which is a pass of its own
(`adjoint.sweep`): statements of the loop's body itself are run again at the beginning of an iteration's pass, when
memory is as the iteration has left it. So no barrier may stand in the branch, the branch itself must not store to the
memory, and must give nothing that is asked for outside of it. It is done where it takes fewer slots.

Each element must be stored to by one thread between two barriers. Others could store the same value there without harm,
as programs do that have one value for it; but what they overwrite is the value of the first of them. So the stores must
go to the thread's own number, in a block of one dimension, plus what is the same for the block, and all of them so.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cladpy.analysis.affine import affine
from cladpy.analysis.dimensions import PLANES
from cladpy.analysis.structure import Index
from cladpy.analysis.uniform import varying_in_block
from cladpy.ir import core
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.types import UINT
from cladpy.ir.walk import defined, statements

_THREAD = core.Builtin(BuiltinVar.THREAD_X, UINT)


@dataclass(frozen=True, slots=True)
class PutBack:
    """The loads that are made again, and the stores that are undone for their sake."""

    loads: frozenset[core.Load] = frozenset()
    stores: frozenset[core.Store] = frozenset()


def put_back(
    function: core.Function,
    index: Index,
    kept: Collection[core.Value],
    again: Collection[core.Value],
    made: Collection[core.Statement],
    unread: Collection[BuiltinVar],
) -> PutBack:
    """What is put back rather than kept: `kept` are the values that could not be had again, `again` those wanted
    after the first pass, `made` the stores that the gradient makes. It is right where the extents `unread`, which
    nothing asks for, are 1."""
    chosen = PutBack()
    if not PLANES.issubset(unread):
        return chosen
    owners = _Owners(function, index)
    for memory, loads in index.loads.items():
        root = _followed(index, memory)
        if root is None:
            continue
        repeated = {s for s in loads if s.value in kept and _is_repeated(index, s, again)}
        stores = [s for s in index.stores[memory] if isinstance(s, core.Store) and s in made]
        undone = {s for s in stores if any(index.may_precede(load, s, root) for load in repeated)}
        fewer = sum(bool(index.places[s].loops()) for s in undone) < len(repeated)
        if fewer and owners.have(undone):
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
    memory = index.memory(load.root)
    inside = list(statements((*branch.then, *branch.other)))
    more = (s for s in inside if s.effects.waits.somebody or s.effects.calls or isinstance(s, core.Loop))
    return not any(more) and not any(memory in index.written(s) for s in inside)


class _Owners:
    """Which elements of shared memory are stored to by one thread each between two barriers."""

    def __init__(self, function: core.Function, index: Index) -> None:
        self.index = index
        self.lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
        self.varying = varying_in_block(function)

    def have(self, stores: Collection[core.Store]) -> bool:
        """Whether the elements that the stores go to have owners, the same for all of the stores."""
        return len({affine(s.index, self.lets) for s in stores}) < 2 and all(map(self._has_owner, stores))

    def _has_owner(self, store: core.Store) -> bool:
        own = []
        for monomial, _ in affine(store.index, self.lets).terms:
            if any(self.varying.expr(atom) for atom in monomial):
                own.append(monomial)
        if own != [(_THREAD,)]:
            return False
        loops = (s for s in self.index.places[store].around if isinstance(s, core.Loop))
        return all(any(isinstance(s, core.Barrier) for s in loop.body) for loop in loops)
