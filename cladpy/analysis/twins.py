"""Loops of one region that run equally often, over the same progressions of integers, and branches on one condition.

Whoever makes an access in an iteration of the one comes to the iteration of that number of the other, and who takes the
one branch takes the other. Rows that are normalised are read by several such loops, one after the other, and written by
the last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from cladpy.analysis.affine import Affine
from cladpy.analysis.loops import Induction, LoopFacts, loop_facts
from cladpy.analysis.reasons import Path
from cladpy.ir import core
from cladpy.ir.walk import substitute, values

# What an expression is looked at in terms of: so many definitions deep.
_DEEPEST = 16


@dataclass(slots=True)
class Twins:
    """Loops are told in the order in which they stand, those around a loop before it."""

    lets: Mapping[core.Value, core.Expr]
    _leading: dict[core.Value, core.Value] = field(default_factory=dict)  # for inductions, those of the first such loop
    _first: dict[Path, list[tuple[LoopFacts, int]]] = field(default_factory=lambda: defaultdict(list))
    _arms: dict[tuple[Path, core.Expr, int], int] = field(default_factory=dict)

    def body(self, loop: core.Loop, path: Path, number: int) -> int:
        """The number of the loop's body: `number`, or that of the first loop in this region that it is the twin of."""
        facts = loop_facts(loop, self.lets)
        if facts.trip_count is None:
            return number
        for first, known in self._first[path]:
            assert first.trip_count is not None
            if self._are_equal(facts.trip_count, first.trip_count):
                for value, induction in facts.inductions.items():
                    equal = (v for v, i in first.inductions.items() if self._run_equally(value, induction, v, i))
                    twin = next(equal, None)
                    if twin is not None:
                        self._leading[value] = twin
                return known
        self._first[path].append((facts, number))
        return number

    def arm(self, branch: core.If, region: int, path: Path, number: int) -> int:
        """The number of a region of a branch: `number`, or that of the first branch here which asks the same."""
        condition = self._expanded(branch.condition)
        return self._arms.setdefault((path, condition, region), number)

    def index(self, index: Affine | None) -> Affine | None:
        """An index in terms of the first loops."""
        if index is None or index.symbols().isdisjoint(self._leading):
            return index
        return index.substitute({v: Affine.of({(core.Use(twin),): 1}) for v, twin in self._leading.items()})

    def _run_equally(self, value: core.Value, mine: Induction, twin: core.Value, other: Induction) -> bool:
        return (
            value.type == twin.type
            and mine.op is other.op
            and self._are_equal(mine.init, other.init)
            and self._are_equal(mine.step, other.step)
        )

    def _are_equal(self, a: core.Expr, b: core.Expr) -> bool:
        return self._expanded(a) == self._expanded(b)

    def _expanded(self, expr: core.Expr) -> core.Expr:
        for _ in range(_DEEPEST):
            known: dict[core.Value, core.Expr] = {}
            for v in values(expr):
                if v in self._leading:
                    known[v] = core.Use(self._leading[v])
                elif v in self.lets:
                    known[v] = core.primal(self.lets[v])
            if not known:
                break
            expr = substitute(expr, known)
        return expr
