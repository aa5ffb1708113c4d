"""Between which statements the threads of a block wait for each other.

A stretch of statements with nothing in between that orders threads is a *segment*. Two accesses in one segment are in
one barrier interval whenever they are made in one iteration of the loops around that hold barriers. Segments that no
barrier of the block lies between may be in one interval: where a branch does not come to its barriers, or where the end
of an iteration meets the beginning of the next.
"""

from __future__ import annotations

from cladpy.ir import core
from cladpy.ir.walk import defined, regions, statements


class Intervals:
    def __init__(self, function: core.Function) -> None:
        self._segments: dict[core.Statement, int] = {}
        self._around: list[tuple[core.Loop, ...]] = []  # of each segment, the loops with barriers that it is in
        self._joined: list[int] = []  # of each segment, another that may be in the same interval
        self._starts: dict[core.Loop, int] = {}
        self._made: dict[core.Loop, frozenset[core.Value]] = {}
        self._visit(function.body, self._new(()))

    # ---- what is asked ---------------------------------------------------------------------------------------------

    def segment(self, statement: core.Statement) -> int:
        return self._segments[statement]

    def may_meet(self, a: int, b: int) -> bool:
        """Whether what two threads do in these segments may be in one barrier interval."""
        return self._root(a) == self._root(b)

    def repeats(self, segment: int, loop: core.Loop) -> bool:
        """Whether an interval that this segment may be in reaches into another iteration of the loop."""
        return self.may_meet(segment, self._starts[loop])

    def loops(self, segment: int) -> tuple[core.Loop, ...]:
        return self._around[segment]

    def changes(self, values: set[core.Value], loop: core.Loop) -> bool:
        """Whether one of the values may be another in each iteration."""
        if loop not in self._made:
            inner = {v for s in statements((*loop.before, *loop.body)) for v in (*defined(s), *_carried(s))}
            self._made[loop] = frozenset(inner | set(_carried(loop)))
        return not values.isdisjoint(self._made[loop])

    # ---- how it is found -------------------------------------------------------------------------------------------

    def _new(self, around: tuple[core.Loop, ...], *joined: int) -> int:
        made = len(self._around)
        self._around.append(around)
        self._joined.append(made)
        for other in joined:
            self._join(made, other)
        return made

    def _root(self, segment: int) -> int:
        while self._joined[segment] != segment:
            self._joined[segment] = self._joined[self._joined[segment]]
            segment = self._joined[segment]
        return segment

    def _join(self, a: int, b: int) -> None:
        self._joined[self._root(a)] = self._root(b)

    def _visit(self, region: core.Region, here: int) -> int:
        """The segment at the end of a region that begins in one."""
        around = self._around[here]
        for statement in region:
            self._segments[statement] = here
            match statement:
                case core.Barrier():
                    here = self._new(around)
                case core.Collective(is_barrier=True):  # only the lanes of a warp wait for each other
                    here = self._new(around, here)
                case core.If(_, then, other) if _orders(statement):
                    ends = [self._visit(branch, self._new(around, here)) for branch in (then, other)]
                    here = self._new(around, *ends)
                case core.Loop(_, before, _, body) if _orders(statement):
                    start = self._starts[statement] = self._new((*around, statement), here)
                    between = self._visit(before, start)
                    self._join(self._visit(body, between), start)
                    here = self._new(around, between)
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
