"""What a gradient gives against the oracle, along random directions.

With J the Jacobian of the final contents of all named arguments with respect to their initial contents, a gradient
turns the cotangent c, which it finds in the adjoints, into J^T c. So for every direction u

    <adjoints afterwards, u>  ==  <c, J u>

where J u is one run of the oracle. That covers arguments that are read, overwritten, updated in place and accumulated
into; scalars passed by value keep their contents, so their adjoints are added to. A host function's result counts as
one more output, with a cotangent of its own. What is promised to be fresh has no cotangent, and what is consumed is in
no direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from cladpy.check.arguments import Array, Tree, contents, copy_of, floats, is_buffer
from cladpy.check.oracle import Oracle, TangentResult
from cladpy.check.report import Finding
from cladpy.check.runs import SUMS_OF_TEAMS, Runs, value_error
from cladpy.targets import TARGETS

VALUE_UNIT = "units in the last place of the largest"
# The bound is widened only where the tangent's contributions are this much larger than what they sum up to.
WELL_CONDITIONED = 10.0


class AgainstOracle:
    """Comparisons at the point of some runs."""

    def __init__(self, runs: Runs, oracle: Oracle, tolerance: float, value_bound: float) -> None:
        self.runs, self.oracle, self.tolerance = runs, oracle, tolerance
        self.value_bound = max(value_bound, SUMS_OF_TEAMS) if runs.by_teams else value_bound

    def directions(self, count: int) -> Iterator[tuple[str, dict[str, Tree]]]:
        """Along all that has an adjoint afterwards, and along each of these."""
        types = [name for name in self.runs.types if name not in self.runs.consumed]
        for k in range(count):
            yield f"direction {k}", self.runs.random(types)
        if len(types) > 1:
            for name in types:
                yield f"direction along {name}", self.runs.random([name])

    def tangent(self, direction: dict[str, Tree]) -> TangentResult:
        """The oracle's run along a direction."""
        return self.oracle.tangent(
            self.runs.grid,
            self.runs.block,
            self.runs.call_values(self.runs.args),
            direction,
            shared_mem=self.runs.shared_mem,
            variables=self.runs.variables,
        )

    def compare(
        self,
        what: str,
        direction: dict[str, Tree],
        gradients: Mapping[str, dict[str, Tree]],
        tangent: TangentResult | None = None,
    ) -> list[Finding]:
        """Each of the gradients, by the order of threads in which they were run, along one direction."""
        known = tangent or self.tangent(direction)
        return [
            self._compare(f"{what}, {order} order", adjoints, direction, known) for order, adjoints in gradients.items()
        ]

    def weighted(self, result: TangentResult) -> tuple[np.longdouble, np.longdouble]:
        """<c, J u>, and the same with magnitudes."""
        total = size = np.longdouble(0)
        if self.runs.result is not None:
            for c, t, m in floats(
                self.runs.result, self.runs.cotangent, result.result_tangent, result.result_magnitude
            ):
                total += np.longdouble(c[0]) * t.reshape(c.shape)[0]
                size += abs(np.longdouble(c[0])) * m.reshape(c.shape)[0]
        for n in self.runs.types:
            for c, t, m in self.runs.parts(n, self.runs.cotangents[n], result.tangents[n], result.magnitudes[n]):
                wide = c.astype(np.longdouble)
                total += (wide * t.reshape(c.shape)).sum()
                size += (np.abs(wide) * m.reshape(c.shape)).sum()
        return total, size

    def _compare(
        self,
        what: str,
        adjoints: dict[str, Tree],
        direction: dict[str, Tree],
        tangent: TangentResult,
    ) -> Finding:
        products = [
            d.astype(np.longdouble) * u.astype(np.longdouble)
            for name, along in direction.items()
            for u, d in self.runs.parts(name, along, adjoints[name])
        ]
        found = sum((p.sum() for p in products), start=np.longdouble(0))
        scale = sum((np.abs(p).sum() for p in products), start=np.longdouble(0))
        expected, size = self.weighted(tangent)
        if not np.isfinite([found, expected]).any():
            return Finding(what, float("nan"), self.tolerance, singular=True)
        if scale == 0:
            # a product of many small factors is lost where it is less than the least number of the precision
            least = np.finfo(np.float32 if self.oracle.single_precision else np.float64).tiny
            return Finding(what, 0.0 if abs(expected) < least else float("inf"), self.tolerance)
        condition = float(size / scale) / WELL_CONDITIONED
        condition = condition if condition > 1 else 1.0
        return Finding(what, float(abs(found - expected) / scale), self.tolerance * condition, condition)

    def compare_values(self, result: TangentResult) -> list[Finding]:
        """The oracle's values against the original's run on the host. What the original leaves otherwise when it runs
        again, as by a clock, says nothing."""
        if TARGETS[self.runs.gradient.backend].runs_on_device:
            return []
        values = list(self._values(result))
        findings = [self._compare_value(*of) for of in values]
        if all(f.ok for f in findings):
            return findings
        again = [own for _, own, _ in self._values(result)]
        same = [own.tobytes() == other.tobytes() for (_, own, _), other in zip(values, again, strict=True)]
        return [f for f, known in zip(findings, same, strict=True) if f.ok or known]

    def _values(self, result: TangentResult) -> Iterator[tuple[str, Array, Array]]:
        """What the original leaves in a run, by name, and what the oracle has left there."""
        arrays = self.runs.copies()
        variables = copy_of(self.runs.variables)
        value = self.runs.run_primal(arrays, variables)
        for p, after in zip(self.runs.parameters, arrays, strict=True):
            if is_buffer(p.type) or isinstance(after, dict | list):
                yield from _beside(f"values of {p.name}", after, result.values[p.name])
        for name, content in variables.items():
            if f"::{name}" in result.values:
                yield from _beside(f"values of {name}", content, result.values[f"::{name}"])
        if value is not None and result.result is not None:
            for (name, own), (_, found) in self.runs.results(value, result.result):
                yield name, own, found

    def _compare_value(self, what: str, own: Array, found: Array) -> Finding:
        error = value_error(own, found.reshape(own.shape))
        return Finding(f"{what} as the original's", error, self.value_bound, unit=VALUE_UNIT)


def _beside(name: str, own: Tree, found: Tree) -> Iterator[tuple[str, Array, Array]]:
    for (part, one), (_, other) in zip(contents(own, name), contents(found, name), strict=True):
        yield part, one, other
