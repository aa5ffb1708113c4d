"""What an earlier call has left of the time is not known to the gradient: what it uses may not depend on it."""

from __future__ import annotations

from cladpy.analysis.to_be_recorded import Needs
from cladpy.diagnostics import Sink
from cladpy.ir import core, reach
from cladpy.ir.symbols import EARLIER
from cladpy.ir.walk import defined, operands, regions, statements, values


def check_earlier_times(function: core.Function, needs: Needs, sink: Sink) -> None:
    """Reports CP0120."""
    first = [s for s in statements(function.body) if isinstance(s, core.Call) and s.callee is EARLIER]
    if not first:
        return
    found = _Dependent(function, {o.value for s in first for o in s.outputs})
    if not found.values.isdisjoint(needs.again):
        sink.error(
            "CP0120",
            "what a static variable has kept of the time lasts from one call to the next, and the gradient needs it",
            first[0].span,
            hint="let nothing that is differentiated depend on it, or pass it as an argument",
        )


class _Dependent:
    """The values that depend on some, through memory too, and by what they decide."""

    def __init__(self, function: core.Function, values: set[core.Value]) -> None:
        self.values, self._roots = values, set[core.Root]()
        self._function = function
        before = 0
        while before != len(self.values) + len(self._roots):
            before = len(self.values) + len(self._roots)
            self._spread(function.body, decided=False)

    def _spread(self, region: core.Region, *, decided: bool) -> None:
        for s in region:
            used = any(v in self.values for e in operands(s) for v in values(e))
            depends = decided or used or any(root.memory in self._roots for root in self._read(s))
            for inner in regions(s):
                self._spread(inner, decided=depends)
            if depends:
                self.values.update(defined(s))
                self._roots.update(root.memory for root in reach.written(s, self._function))

    def _read(self, s: core.Statement) -> set[core.Root]:
        if isinstance(s, core.Load):
            return {s.root}
        return set(reach.touched(s, self._function)) if isinstance(s, core.Call) else set()
