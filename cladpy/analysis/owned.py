"""Whether each element is one thread's own, in the launch or in a block."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from cladpy.analysis.comparison import Same
from cladpy.analysis.dimensions import BLOCKS, INDICES, NO_EXTENTS, THREADS, Premise
from cladpy.analysis.elements import Elements, Site
from cladpy.analysis.intervals import Intervals
from cladpy.analysis.meetings import would_race
from cladpy.analysis.reasons import Access, Meeting
from cladpy.ir import core
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.types import UINT

MOST_PAIRS = 1000  # of accesses: a buffer that is accessed in more places has no proof


class Owned:
    def __init__(
        self,
        function: core.Function,
        intervals: Intervals,
        unread: frozenset[BuiltinVar],
        assumed: tuple[Premise, ...] = (),
    ) -> None:
        self.function = function
        self.intervals = intervals
        self.assumed = assumed  # what is taken to hold of the launch
        self.unread = unread  # the extents that may be taken to be 1
        self.uniform = frozenset(c for p in function.parameters for c in p.contents if isinstance(c, core.Value))
        self._elements: dict[bool, Elements] = {}
        self._sites: dict[tuple[Access, bool], Site | None] = {}
        self._same: dict[tuple[Access, Access, bool], Same | None] = {}

    def premises(
        self, accesses: Sequence[Access], stores: Mapping[core.Root, list[Access]], *, in_block: bool
    ) -> frozenset[BuiltinVar] | Meeting | None:
        """The extents that must be 1 for no two threads to come to one element; or two accesses by which they may;
        None where there are too many."""
        if len(accesses) * (len(accesses) + 1) // 2 > MOST_PAIRS:
            return None
        found: set[BuiltinVar] = set()
        alone = ((a, a) for a in accesses)  # most accesses without a proof have none for themselves
        for a, b in itertools.chain(alone, itertools.combinations(accesses, 2)):
            if any(would_race(a, b, made, self.intervals, in_block=in_block) for made in stores.values()):
                continue
            extents = self.premises_of(a, b, in_block=in_block)
            if isinstance(extents, Meeting):
                return extents
            found |= extents
        return frozenset(found)

    def premises_of(self, a: Access, b: Access, *, in_block: bool) -> frozenset[BuiltinVar] | Meeting:
        """The same of two accesses."""
        indices = THREADS if in_block else INDICES
        if not in_block and not self.intervals.may_meet(a.segment, b.segment):
            indices = BLOCKS  # the threads of one block have waited for each other
        same = self.same(a, b, in_block=in_block)
        if same is None:
            return Meeting(a, b, frozenset(indices))
        if not isinstance(same, frozenset):
            return NO_EXTENTS
        unknown = frozenset(i for i in indices if core.Builtin(i, UINT) not in same)
        missing = frozenset(i for i in unknown if indices[i] not in self.unread)
        return Meeting(a, b, missing) if missing else frozenset(indices[i] for i in unknown)

    def same(self, a: Access, b: Access, *, in_block: bool) -> Same | None:
        """What is equal where the two accesses are to one element; None where that is not known."""
        if (a, b, in_block) not in self._same:
            mine, other = self._site(a, in_block), self._site(b, in_block)
            once = self._once_for_both(a, b) if in_block else ()
            found = None if mine is None or other is None else self._elements[in_block].same(mine, other, once)
            self._same[a, b, in_block] = self._same[b, a, in_block] = found
        return self._same[a, b, in_block]

    def in_first_warp(self, access: Access) -> bool:
        """Whether only lanes of the first warp of a block along x make an access."""
        site = self._site(access, True)
        return site is not None and self._elements[True].in_first_warp(site)

    def _once_for_both(self, a: Access, b: Access) -> list[core.Loop]:
        """The loops of which threads of a block that meet in the two accesses are in the same iteration."""
        loops = (s for s, number in a.around if isinstance(s, core.Loop) and number == 1 and (s, number) in b.around)
        orders, across = self.intervals.orders, self.intervals.may_meet_across
        return [s for s in loops if orders(s) and not across(a.segment, b.segment, s)]

    def counter(self, loop: core.Loop) -> core.Expr | None:
        """The number of a loop's iteration, as accesses are compared in terms of it."""
        return self._elements[False].counters.get(loop) if False in self._elements else None

    @property
    def suggested(self) -> tuple[Premise, ...]:
        """Of a launch, what might lead to a proof."""
        found = self._elements[False].suggested if False in self._elements else set()
        return tuple(sorted(found, key=str))

    def _site(self, access: Access, in_block: bool) -> Site | None:
        if in_block not in self._elements:
            self._elements[in_block] = Elements(self.function, in_block, self.assumed)
        if (access, in_block) not in self._sites:
            self._sites[access, in_block] = self._elements[in_block].site(access)
        return self._sites[access, in_block]
