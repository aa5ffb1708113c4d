"""The gradient check: what a gradient gives against the oracle, exactly, and against central differences, loosely.

With J the Jacobian of the final contents of all named arguments with respect to their initial contents, a gradient
turns the cotangent c, which it finds in the adjoints, into J^T c. So for every direction u

    <adjoints afterwards, u>  ==  <c, J u>

where J u is one run of the oracle. That covers arguments that are read, overwritten, updated in place and accumulated
into; scalars passed by value keep their contents, so their adjoints are added to. A host function's result counts as
one more output, with a cotangent of its own. What is promised to be fresh has no cotangent, and what is consumed is in
no direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cladpy.check.arguments import (
    Array,
    Tree,
    contents,
    copy_of,
    floats,
    is_buffer,
)
from cladpy.check.oracle import Oracle, TangentResult
from cladpy.check.report import CheckReport, Finding
from cladpy.check.runs import VALUE_TOLERANCE, Runs, Shape, value_error
from cladpy.ir.halves import is_pair
from cladpy.ir.types import Struct, Type, is_half, scalar_of
from cladpy.normalize.marks import calls_detached
from cladpy.runtime.gradient import Gradient

DOUBLE_TOLERANCE = 1e-12
FLOAT_TOLERANCE = 5e-6
# Where adjoints are summed up in halves: in objects of a class that has some.
HALF_TOLERANCE = 2e-2
VALUE_UNIT = "units in the last place of the largest"
ORDERS = ("forward", "reverse", "random")
# The bound is widened only where the tangent's contributions are this much larger than what they sum up to.
WELL_CONDITIONED = 10.0


def check(
    gradient: Gradient,
    grid: Shape,
    block: Shape,
    args: Sequence[Any],
    *,
    seed: int = 0,
    shared_mem: int = 0,
    directions: int = 2,
    orders: Sequence[str] = ORDERS,
    differences: bool = True,
    tolerance: float | None = None,
    exact_values: bool = False,
    races: bool = False,
    split: bool = False,
    oracle: Oracle | None = None,
    variables: Mapping[str, Any] | None = None,
) -> CheckReport:
    """Compares `gradient` at the point `args` with the oracle; `grid` and `block` are None for host functions.
    `variables` has values for variables at namespace scope, by qualified name; others keep theirs.

    `directions` random directions over all named arguments, and one per named argument on its own, in every thread
    order of the host backend. `exact_values` asks that the oracle's values are the original's bit for bit, which
    holds where the compiler folds no calls of math functions (constant arguments); else a few last bits may differ.
    With `races` the original's own are looked for in any case, not only where something is wrong. With `split` the
    split form is checked too.

    Raises UsageError where a named argument has no floating-point elements, and where a variable that holds pointers is
    given no value.
    """
    derivative = gradient.derivative
    judge = oracle or Oracle(derivative.program, derivative.options, derivative.source)
    runs = Runs(gradient, grid, block, args, seed, shared_mem, variables)
    one = _Comparison(runs, judge, 0.0 if exact_values else VALUE_TOLERANCE)
    return one.run(directions, orders, differences, tolerance, races, split)


def sample(
    gradient: Gradient,
    grid: int | Sequence[int] | None,
    block: int | Sequence[int] | None,
    args: Sequence[Any],
    *,
    seed: int = 0,
    shared_mem: int = 0,
    variables: Mapping[str, Any] | None = None,
) -> list[Array]:
    """The numbers that one call adds to random cotangents, in the order of the adjoints: for comparing backends.

    Raises AssertionError where the call changes a primal argument.
    """
    runs = Runs(gradient, grid, block, args, seed, shared_mem, variables)
    adjoints, changed = runs.run_gradient("forward")
    if changed:
        raise AssertionError("; ".join(str(f) for f in changed))
    return [part for name in runs.types for (part,) in runs.parts(name, adjoints[name])]


class _Comparison:
    def __init__(self, runs: Runs, oracle: Oracle, value_bound: float) -> None:
        self.runs, self.oracle, self.value_bound = runs, oracle, value_bound
        self.detached = calls_detached(runs.gradient.derivative.program)

    def _directions(self, count: int) -> Iterator[tuple[str, dict[str, Tree]]]:
        """Along all that has an adjoint afterwards, and along each of these."""
        types = [name for name in self.runs.types if name not in self.runs.consumed]
        for k in range(count):
            yield f"direction {k}", {name: self.runs.random_like(name) for name in types}
        if len(types) > 1:
            for name in types:
                yield f"direction along {name}", {name: self.runs.random_like(name)}

    def _tangent(self, direction: dict[str, Tree]) -> TangentResult:
        return self.oracle.tangent(
            self.runs.grid,
            self.runs.block,
            self.runs.call_values(self.runs.args),
            direction,
            shared_mem=self.runs.shared_mem,
            variables=self.runs.variables,
        )

    def run(
        self, count: int, orders: Sequence[str], differences: bool, tolerance: float | None, races: bool, split: bool
    ) -> CheckReport:
        single = self.oracle.single_precision
        halves = self.oracle.half_precision
        if tolerance is None:
            tolerance = FLOAT_TOLERANCE if single or halves else DOUBLE_TOLERANCE
            # where such objects lie behind what is no argument's type, they are read by this function
            read = "cladpy::wide(" in self.runs.gradient.code
            if read or any(_has_half_adjoints(type) for type in self.runs.types.values()):
                tolerance = HALF_TOLERANCE
        findings: list[Finding] = []
        if self.runs.gradient.backend == "host":  # what is wrong with the original is not the gradient's fault
            for before in (False, True):
                self.runs.run_primal(copy_of(self.runs.args), copy_of(self.runs.variables), before=before)
        gradients: dict[str, dict[str, Tree]] = {}
        for order in orders if self.runs.gradient.backend == "host" else ("device",):
            gradients[order], changed = self.runs.run_gradient(order)
            findings += changed
        if split:
            gradients["split"], changed = self.runs.run_split()
            findings += changed
        joint: tuple[dict[str, Tree], TangentResult] | None = None
        with np.errstate(invalid="ignore"):  # where both are infinite there is no difference, which is told
            for what, direction in self._directions(count):
                tangent = self._tangent(direction)
                joint = joint or (direction, tangent)
                for order, adjoints in gradients.items():
                    findings.append(self._compare(f"{what}, {order} order", adjoints, direction, tangent, tolerance))
        if joint is not None:
            findings += self._compare_values(joint[1])
            # What one run of the original leaves behind in a variable at namespace scope, the next would find there;
            # no step can be taken along a const one; and differences know nothing of nondifferentiable marks.
            # And a small step is lost in the rounding of a half.
            differences = differences and not halves
            if differences and not joint[1].left_behind and not self.runs.constants and not self.detached:
                findings.append(self._compare_differences(*joint, single))
        race = ""
        if self.runs.kernel and (races or not all(f.ok for f in findings)):
            race = self.oracle.race(
                *self.runs.shape(), self.runs.call_values(self.runs.args), self.runs.shared_mem, self.runs.variables
            )
        spoilt = [] if joint is None else self._spoilt(joint[1])
        singular = joint is not None and not np.isfinite(self._weighted(joint[1])[0])
        name = self.runs.gradient.derivative.function_name
        return CheckReport(name, tuple(findings), race, tuple(spoilt), singular)

    def _spoilt(self, result: TangentResult) -> list[str]:
        """The arguments in which the original leaves what is no finite number, where there was one."""
        names = []
        for p, before in zip(self.runs.parameters, self.runs.args, strict=True):
            pairs = zip(contents(before, p.name), contents(result.values[p.name], p.name), strict=True)
            names += [
                name
                for (name, old), (_, new) in pairs
                if old.dtype.kind == "f" and (np.isfinite(old) & ~np.isfinite(new.reshape(old.shape))).any()
            ]
        return names

    def _weighted(self, result: TangentResult) -> tuple[np.longdouble, np.longdouble]:
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
        tolerance: float,
    ) -> Finding:
        products = [
            d.astype(np.longdouble) * u.astype(np.longdouble)
            for name, along in direction.items()
            for u, d in self.runs.parts(name, along, adjoints[name])
        ]
        found = sum((p.sum() for p in products), start=np.longdouble(0))
        scale = sum((np.abs(p).sum() for p in products), start=np.longdouble(0))
        expected, size = self._weighted(tangent)
        if scale == 0:
            # a product of many small factors is lost where it is less than the least number of the precision
            least = np.finfo(np.float32 if self.oracle.single_precision else np.float64).tiny
            return Finding(what, 0.0 if abs(expected) < least else float("inf"), tolerance)
        condition = float(size / scale) / WELL_CONDITIONED
        condition = condition if condition > 1 else 1.0
        return Finding(what, float(abs(found - expected) / scale), tolerance * condition, condition)

    def _compare_values(self, result: TangentResult) -> list[Finding]:
        """The oracle's values against the original's run on the host."""
        if self.runs.gradient.backend != "host":
            return []
        arrays = copy_of(self.runs.args)
        variables = copy_of(self.runs.variables)
        value = self.runs.run_primal(arrays, variables)
        findings = []
        for p, after in zip(self.runs.parameters, arrays, strict=True):
            if is_buffer(p.type) or isinstance(after, dict | list):
                for (name, own), (_, found) in zip(
                    contents(after, p.name), contents(result.values[p.name], p.name), strict=True
                ):
                    findings.append(self._compare_value(f"values of {name}", own, found))
        known = {name: result.values.get(f"::{name}") for name in variables}
        for name, content in variables.items():
            if known[name] is None:
                continue
            for (part, own), (_, found) in zip(contents(content, name), contents(known[name], name), strict=True):
                findings.append(self._compare_value(f"values of {part}", own, found))
        if value is not None and result.result is not None:
            for (name, own), (_, found) in self.runs.results(value, result.result):
                findings.append(self._compare_value(name, own, found))
        return findings

    def _compare_value(self, what: str, own: Array, found: Array) -> Finding:
        error = value_error(own, found.reshape(own.shape))
        return Finding(f"{what} as the original's", error, self.value_bound, unit=VALUE_UNIT)

    def _compare_differences(self, direction: dict[str, Tree], tangent: TangentResult, single: bool) -> Finding:
        """The oracle against central differences of the original: the best of several steps, a loose bound."""
        expected, size = self._weighted(tangent)
        best = float("inf")
        for step in (1e-1, 3e-2, 1e-2, 1e-3) if single else (1e-3, 1e-4, 1e-5, 1e-6):
            difference = (self._functional(direction, step) - self._functional(direction, -step)) / (2 * step)
            error = abs(difference - expected)
            best = min(best, float(error / size) if size else float(error))
        return Finding("oracle against central differences", best, 2e-2 if single else 1e-5)

    def _functional(self, direction: dict[str, Tree], step: float) -> Any:
        """<c, final contents> after a step along the direction."""
        arrays = copy_of(self.runs.args)
        variables = copy_of(self.runs.variables)
        trees = {p.name: array for p, array in zip(self.runs.parameters, arrays, strict=True)}
        trees |= {f"::{name}": content for name, content in variables.items()}
        for name, along in direction.items():
            for u, a in self.runs.parts(name, along, trees[name]):
                a[...] = (a + step * u).astype(a.dtype)
        value = self.runs.run_primal(arrays, variables)
        trees |= {f"::{name}": content for name, content in variables.items()}
        total = np.longdouble(0)
        if self.runs.result is not None:
            for c, v in floats(self.runs.result, self.runs.cotangent, value):
                total += np.longdouble(c[0]) * np.longdouble(v.reshape(c.shape)[0])
        for name, cotangent in self.runs.cotangents.items():
            for c, a in self.runs.parts(name, cotangent, trees[name]):
                total += (c.astype(np.longdouble) * a).sum()
        return total


def _has_half_adjoints(type: Type) -> bool:
    """Whether the adjoint of an argument has halves: it lies in objects of a class of the user's."""
    core = scalar_of(type)
    return isinstance(core, Struct) and not is_pair(core) and _has_halves(core, frozenset())


def _has_halves(type: Type, seen: frozenset[Struct]) -> bool:
    core = scalar_of(type)
    if not isinstance(core, Struct):
        return is_half(core)
    return core not in seen and any(_has_halves(f.type, seen | {core}) for f in core.fields)
