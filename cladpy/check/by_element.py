"""The gradient against differences of the original, element by element.

The gradient's number for an element must be the derivative where the function is smooth. At a kink it must lie between
the derivatives from both sides, or in the range of those nearby: which of them it is, is a convention. Elements that
are not looked at by themselves are compared along one line through all of them; what that finds is sought out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cladpy.check.arguments import Array
from cladpy.check.differences import Line, Point, Precision, Shape, Slope, judge, relative
from cladpy.check.elements import Elements, power_of_two
from cladpy.check.functional import Functional
from cladpy.check.nearby import Nearby
from cladpy.check.oracle import TangentResult
from cladpy.check.report import Examined, Finding

# Where so many are wrong, the rest of an argument's is not looked at.
_WRONG = 8
# What the line through the others finds is sought out so often.
_SOUGHT = 4
# An element that is smaller by this than those beside it has smaller steps too.
_SMALLER = 8.0

# The oracle's run along a direction: its derivative of the functional, the size of that, and what the run gave.
Tangent = Callable[[Array], tuple[float, float, TangentResult]]


@dataclass(frozen=True, slots=True)
class Judged:
    """One element: what differences say of the gradient there."""

    element: int
    gradient: float
    verdict: str  # "smooth", "kink", "jump", "undecided" or "wrong"
    slope: Slope | None
    error: float = 0.0

    @property
    def right(self) -> bool:
        return self.verdict in ("smooth", "kink", "jump")


class ByElement:
    """Judges the numbers of one gradient."""

    def __init__(
        self,
        functional: Functional,
        elements: Elements,
        gradient: Array,
        tangent: Tangent,
        precision: Precision,
        seed: int,
    ) -> None:
        self.elements, self.precision = elements, precision
        self._functional, self._gradient, self._tangent = functional, gradient, tangent
        self._nearby = Nearby(functional, elements, precision, seed)
        self._largest = _largest(functional.first, elements.values)
        self._signs = np.random.default_rng(seed).choice((-1.0, 1.0), elements.size)
        self.judged: dict[int, Judged] = {}
        self.others: dict[int, float] = {}  # the oracle's numbers where these are another convention

    def findings(self, limit: int) -> list[Finding]:
        """One for each argument, after all that is to be looked at has been."""
        counts = {}
        for name, chosen, count in self.elements.sample(limit):
            wrong = 0
            for element in chosen:
                wrong += self.of(element).verdict == "wrong"
                if wrong == _WRONG:
                    break
            counts[name] = count
        self._rest()
        return [self._finding(name, count) for name, count in counts.items()]

    def _finding(self, name: str, count: int) -> Finding:
        own = [j for e, j in self.judged.items() if self.elements.part_of(e).name == name]
        decided = [j for j in own if j.verdict != "undecided"]
        what = f"{len(own)} of {count} elements of {name.removeprefix('::')} against differences"
        if len(decided) < len(own):
            what += f", {len(own) - len(decided)} of them undecided"
        worst = max(decided, key=lambda j: (j.verdict == "wrong", j.error), default=None)
        if worst is None:
            return Finding(what, 0.0, self.precision.tolerance)
        if worst.verdict == "wrong":
            what += f", worst {self.elements.label(worst.element)}"
        return Finding(what, worst.error, self.precision.tolerance)

    def examined(self) -> list[Examined]:
        """All that is to be told: what is not simply right."""
        told = []
        for element, j in sorted(self.judged.items()):
            if j.verdict != "smooth" or element in self.others:
                between = None if j.slope is None else (j.slope.low, j.slope.high)
                label, other = self.elements.label(element), self.others.get(element)
                told.append(Examined(label, j.verdict, j.gradient, between, other))
        return told

    # ---- one element -------------------------------------------------------------------------------------------------

    def of(self, element: int) -> Judged:
        if element not in self.judged:
            self.judged[element] = self._judge(element)
        return self.judged[element]

    def _line(self, along: Sequence[int], units: Array) -> Line:
        def at(step: float) -> Point | None:
            found = self._functional.at(along, step * units)
            if found is None:
                return None
            moved, numbers = found
            return Point(float(moved[0]) if len(along) == 1 else step, moved, numbers)

        known = self._functional
        return Line(at, known.first, known.weights, known.wobble, known.own[np.asarray(along)], self.precision.eps)

    def _judge(self, element: int) -> Judged:
        value = float(self._gradient[element])
        if not np.isfinite(self.elements.values[element]):
            return Judged(element, value, "undecided", None)  # there is no step from there
        line = self._line([element], np.ones(1))
        unit = float(self.elements.units[element])
        verdict = judge(line, unit, value, self.precision)
        own = float(power_of_two(abs(self.elements.values[element])))
        if not verdict.right and 0 < own * _SMALLER <= unit:
            verdict = judge(line, own, value, self.precision)
        slope = verdict.slope
        if not verdict.decided or slope is None:
            return Judged(element, value, "undecided", slope)
        if verdict.right:
            return Judged(element, value, slope.shape.value, slope, max(relative(slope, value), 0.0))
        magnitudes = self._functional.magnitudes(self._tangent(self._only(element))[2])
        if slope.distance(value) <= line.unseen(slope, magnitudes, self._largest):
            return Judged(element, value, "undecided", slope)
        confirmed = sum(j.verdict == "wrong" for j in self.judged.values())
        if (
            confirmed < _WRONG
            and slope.shape is not Shape.JUMP  # of which the other side's derivative is nobody's
            and np.isfinite(value)
            and self._nearby.around(element, value)
        ):
            return Judged(element, value, "kink", slope)
        return Judged(element, value, "wrong", slope, verdict.error)

    def _only(self, element: int) -> Array:
        direction = np.zeros(self.elements.size)
        direction[element] = 1
        return direction

    def convention(self, element: int) -> bool:
        """Whether the gradient is right at an element where the oracle says something else."""
        found = self.of(element)
        if not found.right or found.slope is None:
            return False
        other = self._tangent(self._only(element))[0]
        if found.verdict == "smooth" and relative(found.slope, other) <= self.precision.tolerance:
            return False  # differences do not tell them apart
        self.others[element] = other
        return True

    # ---- the others --------------------------------------------------------------------------------------------------

    def _rest(self) -> None:
        """Along all elements at once that have not been looked at; where that is wrong, some of these are found."""
        if self.precision.tolerance > 0.02:
            return  # steps of many are lost in the rounding of a half
        for _ in range(_SOUGHT):
            mask = np.isfinite(self.elements.values)
            mask[list(self.judged)] = False
            left = np.flatnonzero(mask).tolist()
            if not left or not self._differs(left):
                return
            found, _ = sought(left, self._differs, 1)
            if not found:
                return
            for element in found:
                self.of(element)

    def _differs(self, along: Sequence[int]) -> bool:
        chosen = np.asarray(along)
        units = self._signs[chosen] * self.elements.units[chosen]
        verdict = judge(self._line(along, units), 1.0, float((self._gradient[chosen] * units).sum()), self.precision)
        return verdict.decided and not verdict.right


def _largest(*numbers: Array) -> float:
    """The magnitude of the largest finite one."""
    every = np.abs(np.concatenate(numbers))
    return float(np.max(every, where=np.isfinite(every), initial=0.0))


def sought(among: Sequence[int], differs: Callable[[Sequence[int]], bool], most: int) -> tuple[list[int], bool]:
    """Those that differ by themselves, of some that do together, at most `most`; and whether these are all."""
    found: list[int] = []
    groups = [list(among)]
    complete = True
    while groups:
        group = groups.pop()
        if len(group) == 1:
            found.append(group[0])
            if len(found) == most:
                return found, complete and not groups
            continue
        halves = group[: len(group) // 2], group[len(group) // 2 :]
        differing = [half for half in halves if differs(half)]
        complete = complete and bool(differing)
        groups += reversed(differing)
    return found, complete
