"""Which accesses are the only ones to their element, or the last: by one thread, in one iteration of the loops around
them, on one side of a branch.

An adjoint that starts at zero may then be replaced where it would be added to: what comes before in the original adds
to it later. And a cotangent that nobody looks at afterwards need not be zeroed where there is no other access.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from cladpy.analysis.affine import affine, differ, led_by
from cladpy.analysis.dimensions import INDICES
from cladpy.analysis.intervals import Intervals
from cladpy.analysis.loops import loop_facts
from cladpy.analysis.meetings import would_race
from cladpy.analysis.owned import Owned
from cladpy.analysis.reasons import Access
from cladpy.ir import core
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.types import UINT
from cladpy.ir.walk import defined, statements, values

_PLAIN = core.Load | core.Store
_EXTENTS = frozenset(INDICES.values())
Stores = Mapping[core.Root, list[Access]]


class Once:
    """Of the accesses to one adjoint. `alone` says that the function is run by one thread."""

    def __init__(
        self, owned: Owned, intervals: Intervals, stores: Stores, single: frozenset[BuiltinVar], *, alone: bool
    ) -> None:
        self.owned = owned
        self.intervals = intervals
        self.stores = stores
        self.single = single  # the extents that are 1
        self.alone = alone
        self.lets = {s.value: s.expr for s in statements(owned.function.body) if isinstance(s, core.Let)}
        self.orders = any(map(_orders, statements(owned.function.body)))

    def depths(
        self, accesses: Sequence[Access], *, last: bool = False, together: bool = False
    ) -> Iterator[tuple[core.Statement, int]]:
        """Of accesses in their order those that are the only ones to their element, if what the loops beyond a depth
        do is taken together. Where the `last` are asked for, others of the same thread may come before; and twins do
        not count where they are taken `together`."""
        depths = {a: self._depth(a) for a in accesses}
        for position, a in enumerate(accesses):
            depth = depths[a]
            if a.statement is None or depth is None:
                continue
            if all(
                self._apart(a, b, depth) or (last and place < position and self._earlier(b, a))
                for place, b in enumerate(accesses)
                if b is a or not (together and a.twin[0] is not None and a.twin == b.twin)
            ):
                yield a.statement, depth

    def _depth(self, access: Access) -> int | None:
        """How many of the loops around an access, from the outside in, lead to other elements in each iteration, where
        the rest leads to the same."""
        if access.index is None:
            return None
        loops = _loops(access)
        inner = len(loops)
        while inner and access.index.symbols().isdisjoint(_defined_in(loops[inner - 1])):
            inner -= 1
        return inner

    def _apart(self, a: Access, b: Access, depth: int) -> bool:
        """Whether an access is to other elements than another one, or than itself at another time."""
        same = self.owned.same(a, b, in_block=False)
        if same is not None and not isinstance(same, frozenset):
            return True
        equal = same or frozenset()
        if not self._by_one_thread(a, b, equal):
            return False
        if a is b:
            return self._steps(a, depth) or all(self.owned.counter(loop) in equal for loop in _loops(a)[:depth])
        if _differ_by_a_number(a, b):
            leading = max(self._depth(a) or 0, self._depth(b) or 0)
            together = itertools.takewhile(lambda pair: pair[0] is pair[1], zip(_loops(a), _loops(b), strict=False))
            return all(self.owned.counter(loop) in equal for loop, _ in list(together)[:leading])
        around = _branch_between(a, b)
        return (
            around is not None
            and around <= depth
            and all(self.owned.counter(loop) in equal for loop in _loops(a)[:around])
        )

    def _earlier(self, b: Access, a: Access) -> bool:
        """Whether an access, which stands before another one, is made before it where both are to one element."""
        same = self.owned.same(a, b, in_block=False)
        together = _loops(a)[:1] == _loops(b)[:1] != ()  # another iteration may come after
        equal = same if isinstance(same, frozenset) else frozenset()
        return not together and self._by_one_thread(a, b, equal)

    def _steps(self, access: Access, depth: int) -> bool:
        """Whether one thread comes to another element in each iteration of a loop, by a counter of its own."""
        s, index = access.statement, access.index
        if depth != 1 or index is None or not isinstance(s, _PLAIN) or isinstance(s.index, core.Nested):
            return False
        loop = _loops(access)[0]
        moving = index.symbols() & _defined_in(loop)
        inductions = loop_facts(loop, self.lets).inductions
        if len(moving) != 1 or not moving <= inductions.keys():
            return False
        (counter,) = moving
        step = inductions[counter]
        by_itself = [m for m, _ in index.terms if any(counter in values(atom) for atom in m)] == [(core.Use(counter),)]
        return by_itself and step.is_linear and _goes_on(step.step)

    def _by_one_thread(self, a: Access, b: Access, equal: frozenset[core.Expr]) -> bool:
        if self.alone:
            return True
        if all(core.Builtin(i, UINT) in equal or extent in self.single for i, extent in INDICES.items()):
            return True
        made = self.stores.values()
        return not self.orders and any(would_race(a, b, m, self.intervals, in_block=False) for m in made)


def _goes_on(step: core.Expr) -> bool:
    """Whether a step is a number but zero, or made of the extents of the launch."""
    if isinstance(step, core.Const):
        return bool(step.value)
    terms = affine(step, {}).terms
    made_of_extents = (
        m and all(isinstance(atom, core.Builtin) and atom.var in _EXTENTS for atom in m) for m, _ in terms
    )
    return bool(terms) and all(c > 0 for _, c in terms) and all(made_of_extents)


def _differ_by_a_number(a: Access, b: Access) -> bool:
    """Whether one thread, in one iteration of the loops around both, comes to two elements."""
    s, t = a.statement, b.statement
    if a.index is None or b.index is None or not isinstance(s, _PLAIN) or not isinstance(t, _PLAIN):
        return False
    return led_by(s.index) == led_by(t.index) and differ(a.index, b.index)


def _orders(s: core.Statement) -> bool:
    return isinstance(s, core.Barrier) or (isinstance(s, core.Collective) and s.is_barrier)


def _loops(access: Access) -> tuple[core.Loop, ...]:
    return tuple(s for s, _ in access.around if isinstance(s, core.Loop))


def _branch_between(a: Access, b: Access) -> int | None:
    """The number of loops around the branch on whose two sides the accesses stand; None where there is none."""
    loops = 0
    for (here, mine), (there, other) in zip(a.around, b.around, strict=False):
        if here is not there:
            return None
        if mine != other:
            return loops if isinstance(here, core.If) else None
        loops += isinstance(here, core.Loop)
    return None


def _defined_in(loop: core.Loop) -> set[core.Value]:
    found = {c.value for c in loop.carried}
    for s in statements((*loop.before, *loop.body)):
        found.update(defined(s))
        if isinstance(s, core.Loop):
            found.update(c.value for c in s.carried)
    return found
