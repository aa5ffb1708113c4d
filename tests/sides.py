"""The gradient of a random program that is at a kink, judged without any convention.

The oracle gives directional derivatives, D(u), which at a kink are those of the side that the direction leads to. Where
they are linear, D(r + t u) = D(r) + t <g, u> for any r, the program is smooth along u, and its gradient g has to have
this slope: along elements, along all of an argument (what equal numbers share is one number in all), along random
directions.

Where they are not, the slopes of t -> D(r + t u) are the derivatives of the smooth pieces that meet at the point, and
the gradient's number for an element must lie in their range. A choice between numbers that have kinks themselves, as
`fabs(fmax(x, 0) - x)`, does not know of these: there its number may be made of any sides of the choices.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cladpy.check.against_oracle import WELL_CONDITIONED, AgainstOracle
from cladpy.check.arguments import Array
from cladpy.check.elements import Elements, numbers
from cladpy.check.gradient_check import DOUBLE_TOLERANCE, FLOAT_TOLERANCE
from cladpy.check.oracle import TangentResult
from cladpy.check.report import CheckReport, Finding
from cladpy.check.runs import Runs
from cladpy.runtime.order import host_workers
from tests.generator.program import GeneratedProgram
from tests.oracle import Judged, judged_random
from tests.verified import verified

ORDERS = ("forward", "reverse")
ELEMENTS = 5  # of each argument
# Where the slopes of the first three pieces do not have the gradient among them, others are looked for.
SCANS = 8
DRAWS = 40
REACH, STEPS = 4.0, 33


def check_sides(program: GeneratedProgram, seed: int, made: Judged | None = None) -> CheckReport:
    """The report of a random program's gradient at its kinks."""
    with verified():
        made = made or judged_random(program)
        runs = Runs(made.gradient, program.grid, program.block, program.values, seed, program.shared_mem, None)
        with host_workers(False), np.errstate(all="ignore"):
            return _Sides(runs, made).report()


class _Sides:
    def __init__(self, runs: Runs, made: Judged) -> None:
        self.runs, self.oracle = runs, made.oracle
        self.elements = Elements(runs)
        self.rng = np.random.default_rng(runs.seed)
        self.tolerance = FLOAT_TOLERANCE if made.oracle.single_precision else DOUBLE_TOLERANCE
        self.at = self._run(np.zeros(self.elements.size))
        self.values = self._outputs(self.at.values)
        self.steady = np.isfinite(self.values)  # which outputs have derivatives at all
        self.known: dict[bytes, tuple[Array, Array]] = {}
        self.slopes: dict[bytes, list[float]] = {}

    def report(self) -> CheckReport:
        directions = list(self._directions())
        base = self._random()
        for _, u in directions:  # what jumps along one of them is not looked at
            for direction in (u, -u, base + u):
                self._moves(direction)
        self._moves(base)
        self._ask_only(self.steady)
        findings = []
        for order in ORDERS:
            adjoints, changed = self.runs.run_gradient(order)
            findings += changed
            gradient = self.elements.vector(adjoints)
            for what, u in directions:
                finding = self._compare(f"{what}, {order} order", gradient, u, base)
                findings += [] if finding is None else [finding]
        findings += AgainstOracle(self.runs, self.oracle, self.tolerance, 0.0).compare_values(self.at)
        spoilt = [] if np.isfinite(self.values).all() else ["outputs"]
        race = "" if all(f.ok for f in findings) else self._race()
        name = self.runs.gradient.derivative.function_name
        return CheckReport(name, tuple(findings), race, spoilt=tuple(spoilt))

    def _race(self) -> str:
        runs = self.runs
        return self.oracle.race(*runs.shape(), runs.call_values(runs.args), runs.shared_mem, runs.variables)

    # ---- directions ------------------------------------------------------------------------------------------------

    def _random(self) -> Array:
        """Exact in any precision, and so are sums and small multiples."""
        size = self.elements.size
        return self.rng.integers(32, 96, size) / 64.0 * self.rng.choice((-1.0, 1.0), size)

    def _directions(self) -> Iterator[tuple[str, Array]]:
        for k in range(2):
            yield f"direction {k}", self._random()
        for name in self.elements.names:
            whole = np.zeros(self.elements.size)
            for part in self.elements.parts:
                if part.name == name:
                    whole[part.start : part.start + int(np.prod(part.shape))] = 1.0
            yield f"direction along all of {name}", whole
        for _, chosen, _ in self.elements.sample(ELEMENTS):
            for element in chosen:
                one = np.zeros(self.elements.size)
                one[element] = 1.0
                yield f"direction along {self.elements.label(element)}", one

    # ---- the oracle ------------------------------------------------------------------------------------------------

    def _run(self, direction: Array, draw: int = 0) -> TangentResult:
        runs, trees = self.runs, self.elements.trees(direction)
        at = runs.shape()
        values = runs.call_values(runs.args)
        return self.oracle.beside(*at, values, trees, runs.shared_mem, runs.variables, draw=draw)

    def _outputs(self, trees: dict[str, object]) -> Array:
        """The numbers that the program ends with, in the order of the cotangents."""
        found = []
        for name in self.runs.types:
            for c, held in self.runs.parts(name, self.runs.cotangents[name], trees[name]):
                found.append(np.asarray(held, np.longdouble).reshape(-1))
                assert found[-1].size == c.size
        return np.concatenate(found) if found else np.zeros(0)

    def _moves(self, direction: Array) -> tuple[Array, Array]:
        """The derivatives of all outputs along a direction, and their sizes."""
        key = direction.tobytes()
        if key not in self.known:
            found = self._run(direction)
            values = self._outputs(found.values)
            near = 1e3 * np.finfo(np.float32 if self.oracle.single_precision else np.float64).eps
            self.steady &= np.abs(values - self.values) <= near * np.maximum(np.abs(self.values), 1.0)
            self.known[key] = self._outputs(found.tangents), self._outputs(found.magnitudes)
        return self.known[key]

    def _ask_only(self, mask: Array) -> None:
        """Takes the cotangents of other outputs away."""
        start = 0
        for name in self.runs.types:
            for (c,) in self.runs.parts(name, self.runs.cotangents[name]):
                c[~mask[start : start + c.size].reshape(c.shape)] = 0.0
                start += c.size
        cotangents = [numbers(c) for n in self.runs.types for (c,) in self.runs.parts(n, self.runs.cotangents[n])]
        self.weights = np.concatenate(cotangents).astype(np.longdouble)
        self.asked = self.weights != 0

    def _along(self, direction: Array) -> tuple[float, float]:
        """The derivative of what the cotangents ask for along a direction, and its size."""
        return self._weighted(*self._moves(direction))

    def _weighted(self, tangents: Array, sizes: Array) -> tuple[float, float]:
        weights = self.weights[self.asked]
        total = (weights * tangents[self.asked]).sum()
        return total, float((np.abs(weights) * sizes[self.asked]).sum())

    # ---- comparing -------------------------------------------------------------------------------------------------

    def _compare(self, what: str, gradient: Array, u: Array, base: Array) -> Finding | None:
        """Whether the gradient's number along a direction is in the range of those of the pieces; None where one of
        these is infinite, and where a direction along several elements comes to a kink."""
        chosen = u != 0
        products = gradient[chosen].astype(np.longdouble) * u[chosen]
        value, scale = products.sum(), float(np.abs(products).sum())
        forward, size = self._along(u)
        backward, other = self._along(-u)
        first = [forward, -backward, self._along(base + u)[0] - self._along(base)[0]]
        if not np.isfinite([*first, size, other]).all():
            return None
        slopes = self.slopes.setdefault(u.tobytes(), first)  # what one order has found, the other one knows
        least = float(np.finfo(np.float32 if self.oracle.single_precision else np.float64).tiny)
        reference = max(scale, max(size, other) / WELL_CONDITIONED, least)
        near = self.tolerance * reference
        if _outside(value, slopes) > near:
            self._look_for_more(value, slopes, u, near)
        if np.count_nonzero(chosen) > 1 and max(slopes) - min(slopes) > near and value == value:
            return None
        if _outside(value, slopes) > near and max(slopes) - min(slopes) > near:
            slopes += self._drawn(u)
        within = f"{what}: {float(value):.9g}, of {float(min(slopes)):.9g} to {float(max(slopes)):.9g}"
        outside = _outside(value, slopes)
        return Finding(within, 0.0 if outside <= least else float(outside) / reference, self.tolerance)

    def _look_for_more(self, value: float, slopes: list[float], u: Array, near: float) -> None:
        """Slopes of other pieces."""
        for scan in range(SCANS):
            start = self._random() * self.rng.choice((0.25, 1.0)) if scan else np.zeros(u.size)
            at = [t * REACH for t in np.linspace(-1.0, 1.0, STEPS)]
            found = [self._along(start + t * u)[0] for t in at]
            steps = zip(found, found[1:], at, at[1:], strict=False)
            slopes += [(b - a) / (t - s) for a, b, s, t in steps if np.isfinite(a) and np.isfinite(b)]
            if _outside(value, slopes) <= near or (np.count_nonzero(u) > 1 and max(slopes) - min(slopes) > near):
                return

    def _drawn(self, u: Array) -> Iterator[float]:
        """Derivatives that are made of any sides of the choices."""
        for draw in range(1, DRAWS + 1):
            for sign in (1.0, -1.0):
                found = self._run(sign * u, draw)
                slope, _ = self._weighted(self._outputs(found.tangents), self._outputs(found.magnitudes))
                if np.isfinite(slope):
                    yield sign * slope


def _outside(value: float, slopes: list[float]) -> float:
    """How far a number lies outside of the range of others; infinitely where it is none."""
    return max(min(slopes) - value, value - max(slopes), 0.0) if value == value else float("inf")
