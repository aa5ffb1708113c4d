"""The gradient check: the gradient is run at a point, and what it gives is compared with two witnesses.

`against_oracle.py` compares along random directions, exactly; `by_element.py` element by element, with differences of
the original, which share no convention with anything. Where the two contradict each other at an element, differences
decide.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cladpy import pipeline
from cladpy.check.against_oracle import AgainstOracle
from cladpy.check.arguments import Array, Tree, contents, copy_of
from cladpy.check.by_element import ByElement, sought
from cladpy.check.differences import BFLOAT16, DOUBLE, FLOAT, HALF, Precision
from cladpy.check.elements import Elements
from cladpy.check.functional import Functional
from cladpy.check.oracle import Oracle, TangentResult
from cladpy.check.report import CheckReport, Finding
from cladpy.check.runs import VALUE_TOLERANCE, Runs, Shape
from cladpy.check.sharing import arrangements
from cladpy.diagnostics import CladpyError, UsageError
from cladpy.ir.halves import is_pair
from cladpy.ir.types import Struct, Type, is_half, scalar_of
from cladpy.making import whole
from cladpy.normalize.marks import calls_detached
from cladpy.runtime.gradient import Gradient
from cladpy.runtime.order import chosen_workers, host_workers
from cladpy.targets import TARGETS

DOUBLE_TOLERANCE = 1e-12
FLOAT_TOLERANCE = 5e-6
# Where adjoints are summed up in halves: in objects of a class that has some.
HALF_TOLERANCE = 2e-2
# So many elements of an argument are looked at by themselves. The original runs four times for each: where a launch has
# more threads than these they are fewer, but no fewer than the least.
ELEMENTS, LEAST_ELEMENTS = 64, 4
_THREADS = 4096
ORDERS = ("forward", "reverse", "random")
WORKERS = "workers"  # as calls of users run
# Where the oracle and the gradient differ at more elements than so many, they are not compared one by one.
_MOST_OTHERS = 1024


def check(
    gradient: Gradient,
    grid: Shape,
    block: Shape,
    args: Sequence[Any],
    *,
    seed: int = 0,
    shared_mem: int = 0,
    directions: int = 2,
    orders: Sequence[str] | None = None,
    differences: bool = True,
    elements: int | None = None,
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
    order of the host backend, and by its workers; with `differences` the original's along at most `elements` elements
    of each argument (None: 64, fewer for large launches), and along one line through the others. `exact_values` asks
    that the oracle's values are the original's bit for bit, which holds where the compiler folds no calls of math
    functions (constant arguments); else a few last bits may differ. With `races` a kernel's own are looked for in
    any case, else, and in host programs, where something is wrong. With `split` the split form is checked too.

    Raises UsageError where a named argument has no floating-point elements, and where a variable that holds pointers is
    given no value.
    """
    gradient = whole(gradient)
    derivative = gradient.derivative
    judge = oracle or oracle_of(gradient)
    point = (gradient, grid, block, args, seed, shared_mem, variables)
    runs = Runs(*point)
    bound = 0.0 if exact_values else VALUE_TOLERANCE
    one = Check(runs, judge, bound, tolerance)
    if TARGETS[derivative.target].is_portable:
        orders = (WORKERS,)
    if orders is None:  # by workers as well, unless they are not to run at all
        orders = ORDERS if chosen_workers() is False else (*ORDERS, WORKERS)
    # where both are infinite there is no difference, which is told
    with host_workers(False), np.errstate(invalid="ignore"):
        report = one.run(directions, orders, differences, elements, races, split)
        if not derivative.options.may_alias or runs.sharing:
            return report
        arrays = runs.may_share()
        written = [path for path in arrays if re.sub(r"\[\d+\]", "", path) in derivative.written]
        for sharing in arrangements(arrays, written):
            other = Check(Runs(*point, sharing=sharing), judge, bound, tolerance)
            few = LEAST_ELEMENTS if elements is None else elements
            report = report.beside(str(sharing), *other.overlapping(directions, orders, differences, few))
        return report


def oracle_of(gradient: Gradient) -> Oracle:
    """The oracle of a gradient's program, as the host has it: there launches say how loops of a library run."""
    derivative = whole(gradient).derivative
    portable = TARGETS[derivative.target].is_portable
    if portable:
        asked = derivative.requested[0], "", derivative.options, "host"
        derivative = pipeline.undifferentiated(derivative.source, *asked)
    oracle = Oracle(derivative.program, derivative.options, derivative.source)
    if portable and oracle.variables:
        names = ", ".join(f"'{v.name}'" for v in oracle.variables)
        raise UsageError(
            f"a check of a program for Kokkos knows no variables at namespace scope but constants, not {names}\n"
            "hint: give the function what it uses of them as arguments"
        )
    return oracle


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
    runs = Runs(whole(gradient), grid, block, args, seed, shared_mem, variables)
    adjoints, changed = runs.run_gradient("forward")
    if changed:
        raise AssertionError("; ".join(str(f) for f in changed))
    return [part for name in runs.types for (part,) in runs.parts(name, adjoints[name])]


class Check:
    """The comparisons at the point of some runs."""

    def __init__(self, runs: Runs, oracle: Oracle, value_bound: float, tolerance: float | None) -> None:
        self.runs, self.oracle = runs, oracle
        self.tolerance = self._tolerance() if tolerance is None else tolerance
        self.against = AgainstOracle(runs, oracle, self.tolerance, value_bound)

    def _tolerance(self) -> float:
        # where such objects lie behind what is no argument's type, they are read by this function
        read = "cladpy::wide(" in self.runs.gradient.code
        if read or any(_has_half_adjoints(type) for type in self.runs.types.values()):
            return HALF_TOLERANCE
        narrow = self.oracle.single_precision or self.oracle.half_precision
        return FLOAT_TOLERANCE if narrow else DOUBLE_TOLERANCE

    def _precision(self) -> Precision:
        if self.oracle.half_precision:
            return BFLOAT16 if "__nv_bfloat16" in self.oracle.text else HALF
        return FLOAT if self.oracle.single_precision else DOUBLE

    def _limit(self, elements: Elements) -> int:
        threads = math.prod(e for extent in self.runs.shape() for e in extent) if self.runs.kernel else elements.size
        return max(LEAST_ELEMENTS, min(ELEMENTS, ELEMENTS * _THREADS // max(threads, 1)))

    def run(
        self, count: int, orders: Sequence[str], differences: bool, limit: int | None, races: bool, split: bool
    ) -> CheckReport:
        findings: list[Finding] = []
        on_device = TARGETS[self.runs.gradient.backend].runs_on_device
        if not on_device:  # what is wrong with the original is not the gradient's fault
            for before in (False, True):
                self.runs.run_primal(self.runs.copies(), copy_of(self.runs.variables), before=before)
        gradients: dict[str, dict[str, Tree]] = {}
        for order in ("device",) if on_device else orders:
            gradients[order], changed = self.runs.run_gradient(order)
            findings += changed
        if split:
            gradients["split"], changed = self.runs.run_split()
            findings += changed
        directions = list(self.against.directions(count))
        joint: TangentResult | None = None
        compared: list[Finding] = []
        for what, along in directions:
            tangent = self.against.tangent(along)
            joint = joint or tangent
            compared += self.against.compare(what, along, gradients, tangent)
        by_element: ByElement | None = None
        omitted = self._omitted(joint) if differences else "they are not asked for"
        more: list[Finding] = [] if joint is None else self.against.compare_values(joint)
        if not omitted:
            by_element = self.by_element(next(iter(gradients.values())))
            more += by_element.findings(self._limit(by_element.elements) if limit is None else limit)
            if not all(f.ok for f in compared):
                compared = self._without_conventions(by_element, directions, gradients) or compared
        findings += [*compared, *more]
        watched = None
        if not all(f.ok for f in findings) or (races and self.runs.kernel):
            watched = self._watched()
        spoilt = [] if joint is None else self._spoilt(joint)
        singular = joint is not None and not np.isfinite(self.against.weighted(joint)[0])
        name = self.runs.gradient.derivative.function_name
        examined = () if by_element is None else tuple(by_element.examined())
        told = omitted if differences else ""
        return CheckReport(
            name,
            tuple(findings),
            "" if watched is None else watched.race,
            tuple(spoilt),
            singular,
            examined,
            told,
            unwritten="" if watched is None else watched.unwritten,
        )

    def overlapping(
        self, count: int, orders: Sequence[str], differences: bool, limit: int
    ) -> tuple[CheckReport | None, str]:
        """What is found where arguments share memory, or why nothing can be: the original has no derivative then."""
        try:
            race = self._watched().race if self.runs.kernel else self._changing(orders)
            report = None if race else self.run(count, orders, differences, limit, races=False, split=False)
        except CladpyError as error:
            return None, str(error).partition("\n")[0]
        if report is None:
            return None, f"a race in the original {race}"
        if not report.ok and (report.spoilt or report.singular):
            return None, report.verdict
        return report, ""

    def _watched(self) -> TangentResult:
        values = self.runs.call_values(self.runs.args)
        shape = (self.runs.grid, self.runs.block)
        return self.oracle.watched(*shape, values, self.runs.shared_mem, self.runs.variables)

    def _changing(self, orders: Sequence[str]) -> str:
        """Of a host program, which is not compiled once more for it: what shows that threads race."""
        name = self.runs.depends_on_order(orders)
        return name and f"on {name}, which is another number in another order of the threads"

    def _omitted(self, joint: TangentResult | None) -> str:
        """Why there can be no differences."""
        if joint is None:
            return "no adjoint is left to compare"
        if joint.left_behind:
            return "a variable at namespace scope that is not among the arguments keeps what a run leaves in it"
        if calls_detached(self.runs.gradient.derivative.program):
            return "they know nothing of what is marked as nondifferentiable"
        return ""

    def by_element(self, adjoints: dict[str, Tree]) -> ByElement:
        """What judges the numbers of a gradient one by one."""
        elements = Elements(self.runs)

        def tangent(direction: Array) -> tuple[float, float, TangentResult]:
            found = self.against.tangent(elements.trees(direction))
            value, size = self.against.weighted(found)
            return float(value), float(size), found

        functional = Functional(self.runs, elements)
        gradient = elements.vector(adjoints)
        return ByElement(functional, elements, gradient, tangent, self._precision(), self.runs.seed)

    def _without_conventions(
        self,
        by_element: ByElement,
        directions: Sequence[tuple[str, dict[str, Tree]]],
        gradients: Mapping[str, dict[str, Tree]],
    ) -> list[Finding]:
        """The comparisons with the oracle again, without the elements where it differs from the gradient and
        differences say that this is right; none where there are others too."""
        elements = by_element.elements

        def masked(direction: dict[str, Tree], mask: Array) -> dict[str, Tree]:
            whole = elements.trees(np.zeros(elements.size)) | direction
            cut = elements.trees(np.where(mask, elements.vector(whole), 0.0))
            return {name: cut.get(name, tree) for name, tree in direction.items()}

        def differs(chosen: Sequence[int]) -> bool:
            """Forwards or backwards: at a kink the oracle's derivative is that of a side."""
            weights = np.zeros(elements.size)
            weights[chosen] = 1.0
            first = elements.vector({name: directions[0][1][name] for name in elements.names})
            both = (elements.trees(sign * weights * first) for sign in (1.0, -1.0))
            return not all(f.ok for only in both for f in self.against.compare("", only, gradients))

        if not elements.size or not differs(range(elements.size)):
            return []
        found, complete = sought(range(elements.size), differs, _MOST_OTHERS)
        if not complete or not all([by_element.convention(e) for e in found]):
            return []
        others = np.ones(elements.size, bool)
        others[found] = False
        again: list[Finding] = []
        for what, direction in directions:
            again += self.against.compare(f"{what} without conventions", masked(direction, others), gradients)
        return again

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


def _has_half_adjoints(type: Type) -> bool:
    """Whether the adjoint of an argument has halves: it lies in objects of a class of the user's."""
    core = scalar_of(type)
    return isinstance(core, Struct) and not is_pair(core) and _has_halves(core, frozenset())


def _has_halves(type: Type, seen: frozenset[Struct]) -> bool:
    core = scalar_of(type)
    if not isinstance(core, Struct):
        return is_half(core)
    return core not in seen and any(_has_halves(f.type, seen | {core}) for f in core.fields)
