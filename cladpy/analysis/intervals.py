"""Between which statements the threads of a block wait for each other.

A stretch of statements with nothing in between that orders threads is a *segment*. Two accesses in one segment are in
one barrier interval whenever they are made in one iteration of the loops around that hold barriers. Accesses in two
segments may be in one interval if control gets from one to the other without coming to a barrier of the block: where
a branch has none, or where the end of an iteration is followed by the next. All threads of the block go that way
together.
"""

from __future__ import annotations

from cladpy.ir import core
from cladpy.ir.walk import defined, regions, statements


class Intervals:
    def __init__(self, function: core.Function) -> None:
        self._segments: dict[core.Statement, int] = {}
        self._around: list[tuple[core.Loop, ...]] = []  # of each segment, the loops with barriers that it is in
        self._next: list[set[int]] = []  # of each segment, those that follow without a barrier of the block
        self._in_warp: set[tuple[int, int]] = set()  # of these, the ways on which the lanes of a warp wait
        self._reached: dict[tuple[int, bool], frozenset[int]] = {}
        self._heads: dict[core.Loop, int] = {}  # where an iteration begins
        self._made: dict[core.Loop, frozenset[core.Value]] = {}
        self._visit(function.body, self._new(()))

    # ---- what is asked ---------------------------------------------------------------------------------------------

    def segment(self, statement: core.Statement) -> int:
        return self._segments[statement]

    def may_meet(self, a: int, b: int, *, in_warp: bool = False) -> bool:
        """Whether what two threads do in these segments may be in one barrier interval; of the lanes of one warp, which
        barriers of a warp order as well, where `in_warp`."""
        return self._reaches(a, b, in_warp) or self._reaches(b, a, in_warp)

    def may_meet_across(self, a: int, b: int, loop: core.Loop) -> bool:
        """Whether that may be in two iterations of a loop with barriers."""
        head = self._heads[loop]
        return (self._reaches(a, head) and self._reaches(head, b)) or (
            self._reaches(b, head) and self._reaches(head, a)
        )

    def orders(self, loop: core.Loop) -> bool:
        """Whether there is anything in the loop that orders threads."""
        return loop in self._heads

    def loops(self, segment: int) -> tuple[core.Loop, ...]:
        return self._around[segment]

    def changes(self, values: set[core.Value], loop: core.Loop) -> bool:
        """Whether one of the values may be another in each iteration."""
        if loop not in self._made:
            inner = {v for s in statements((*loop.before, *loop.body)) for v in (*defined(s), *_carried(s))}
            self._made[loop] = frozenset(inner | set(_carried(loop)))
        return not values.isdisjoint(self._made[loop])

    # ---- how it is found -------------------------------------------------------------------------------------------

    def _new(self, around: tuple[core.Loop, ...], *before: int) -> int:
        """A segment that follows others without a barrier of the block."""
        made = len(self._around)
        self._around.append(around)
        self._next.append(set())
        for other in before:
            self._next[other].add(made)
        return made

    def _reaches(self, a: int, b: int, in_warp: bool = False) -> bool:
        if (a, in_warp) not in self._reached:
            found, waiting = {a}, [a]
            while waiting:
                here = waiting.pop()
                more = {n for n in self._next[here] - found if not (in_warp and (here, n) in self._in_warp)}
                found |= more
                waiting += more
            self._reached[a, in_warp] = frozenset(found)
        return b in self._reached[a, in_warp]

    def _visit(self, region: core.Region, here: int) -> int:
        """The segment at the end of a region that begins in one."""
        around = self._around[here]
        for statement in region:
            self._segments[statement] = here
            match statement:
                case core.Barrier():
                    here = self._new(around)
                case core.Collective(is_barrier=True):  # only the lanes of a warp wait for each other
                    before, here = here, self._new(around, here)
                    self._in_warp.add((before, here))
                case core.If(_, then, other) if _orders(statement):
                    taken, not_taken = self._new(around, here), self._new(around, here)
                    ends = self._visit(then, taken), self._visit(other, not_taken)
                    if not any(isinstance(s, core.Barrier) for s in statements((statement,))):
                        self._next[ends[0]].add(not_taken)  # warps may go both ways
                    here = self._new(around, *ends)
                case core.Loop(_, before, _, body) if _orders(statement):
                    inside = (*around, statement)
                    head = self._heads[statement] = self._new(inside, here)
                    decided = self._visit(before, head)
                    self._next[self._visit(body, self._new(inside, decided))].add(head)
                    here = self._new(around, decided)
                case _:
                    for inner in regions(statement):
                        self._visit(inner, here)
        return here


def _carried(statement: core.Statement) -> tuple[core.Value, ...]:
    return tuple(c.value for c in statement.carried) if isinstance(statement, core.Loop) else ()


def _orders(statement: core.Statement) -> bool:
    return any(
        isinstance(s, core.Barrier) or (isinstance(s, core.Collective) and s.is_barrier)
        for s in statements((statement,))
    )
