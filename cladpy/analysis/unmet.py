"""Which accesses to shared memory no other thread meets, where others to the same array are met.

Of two accesses there are the proofs of `meetings.py` and `elements.py`, and two more. The one stands beside a store of
the primal to the array itself, at its index, in their interval: threads that met would load what the other stores, with
nothing in between that orders the two, which is a race of the primal. Or both are made by the first warp alone, whose
lanes wait for each other in between.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from cladpy.analysis.dimensions import PLANES
from cladpy.analysis.meetings import Meetings, would_race
from cladpy.analysis.owned import MOST_PAIRS, Owned
from cladpy.analysis.reasons import Access, Meeting, owners
from cladpy.ir import core
from cladpy.ir.surface import BuiltinVar


def unmet(
    root: core.Root, accesses: Sequence[Access], stores: Mapping[core.Root, list[Access]], owned: Owned,
    meetings: Meetings | None,
) -> tuple[list[Access], frozenset[BuiltinVar]]:  # fmt: skip
    """The accesses to `root` that no other thread of the block meets, and the extents that must be 1 for that. `stores`
    are those of which no two threads make one to the same element, by buffer; `meetings` is for blocks along x."""
    if len(accesses) * (len(accesses) + 1) // 2 > MOST_PAIRS:
        return [], frozenset()
    met: set[Access] = set()
    single: set[BuiltinVar] = set()
    for a, b in itertools.combinations_with_replacement(accesses, 2):
        if any(would_race(a, b, made, owned.intervals, in_block=True) for made in stores.values()):
            continue
        if _load_would_race(a, b, stores.get(root, ())):
            continue
        if meetings is not None and (meetings.apart(a, b) or _lanes_wait(a, b, owned)):
            single |= PLANES
            continue
        extents = owned.premises_of(a, b, in_block=True)
        if isinstance(extents, Meeting):
            met |= {a, b}
        else:
            single |= extents
    return [a for a in accesses if a not in met], frozenset(single)


def _lanes_wait(a: Access, b: Access, owned: Owned) -> bool:
    """Whether only the first warp of a block along x makes the two, and its lanes wait for each other in between."""
    if owned.intervals.may_meet(a.segment, b.segment, in_warp=True):
        return False
    return owned.in_first_warp(a) and owned.in_first_warp(b)


def _load_would_race(a: Access, b: Access, made: Sequence[Access]) -> bool:
    """Whether one of the two is made where the other stands beside a store to the array, in one interval."""
    if a.segment != b.segment or a.statement is None or b.statement is None:
        return False
    return any(s.segment == a.segment for access in (a, b) for s in owners(access, made))
