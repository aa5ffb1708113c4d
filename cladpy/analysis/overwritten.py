"""Memory that a host program overwrites, and who does so: steps, of which the run-time state knows, or host code."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cladpy.analysis.memory_groups import grouped
from cladpy.ir import core
from cladpy.ir.host import STEPS
from cladpy.ir.reach import touched, written
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.walk import statements


@dataclass(frozen=True, slots=True)
class Overwritten:
    function: core.Function
    by_steps: frozenset[core.Root]
    by_host: frozenset[core.Root]

    def positions(self, call: core.Call, reads: Collection[int]) -> frozenset[int]:
        """Of the arguments at some positions, those whose memory is overwritten by steps; none where host code stores
        to any of it."""
        memory = {i: {r.memory for r in touched(call, self.function, frozenset({i}))} for i in reads}
        if any(not roots.isdisjoint(self.by_host) for roots in memory.values()):
            return frozenset()
        return frozenset(i for i, roots in memory.items() if not roots.isdisjoint(self.by_steps))


def find_overwritten(function: core.Function, *, may_alias: bool) -> Overwritten:
    groups = grouped(function, may_alias=may_alias)
    by_steps: set[core.Root] = set()
    by_host: set[core.Root] = set()
    for statement in statements(function.body):
        call = statement if isinstance(statement, core.Call) else None
        is_step = call is not None and (call.callee.kind is FunctionKind.KERNEL or call.custom or call.callee in STEPS)
        (by_steps if is_step else by_host).update(root.memory for root in written(statement, function))
    return Overwritten(function, frozenset(groups.of(by_steps)), frozenset(groups.of(by_host)))
