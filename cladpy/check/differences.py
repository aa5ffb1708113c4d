"""Derivatives along a line by differences, and how far these can be trusted.

At each size of a step, the step and its half are taken to both sides. That gives a derivative from either side, free of
the function's curvature, and a central one; what halving the step changes, and what rounding can do to values of that
size, say how far off they may be. Every number that the function ends with is looked at by itself: what a step does not
change adds no rounding, whatever its size, and a kink of one of them is not lost in the sum. An element that the
function leaves alone ends as it began, which is exact, and is no part of what its derivative is measured by.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from cladpy.check.arguments import Array

# What an error of rounding may be, in units of the precision, of a number that is the end of a few operations.
ROUNDING = 4.0
# Of a sum of independent errors.
DEVIATIONS = 1.5
# A side's derivative has converged where halving the step does not make it this much larger: that of a jump doubles.
CONVERGED = 1.5
# What is not smooth has to be known better than by this, whatever the precision.
EDGES_KNOWN = 0.2
# The derivatives from both sides are not told apart where they differ by no more than this part of their size.
SAME = 1e-3


class Shape(Enum):
    """What a function is like along a line."""

    SMOOTH = "smooth"
    KINK = "kink"  # the derivatives from both sides differ
    JUMP = "jump"  # from one side the function has no derivative


@dataclass(frozen=True, slots=True)
class Slope:
    """The derivative along a line: from `low` to `high`, to which `uncertain` has been added on both sides. `size` is
    that of its contributions, of which some may cancel, without `carried`, which is that of elements left alone."""

    step: float
    low: float
    high: float
    size: float
    uncertain: float
    shape: Shape
    carried: float

    def distance(self, value: float) -> float:
        """From the range to a value; infinite for what is no finite number."""
        beyond = max(self.low - value, value - self.high, 0.0)
        return beyond if np.isfinite(value) else float("inf")

    def scale(self, value: float) -> float:
        """What a value is compared by."""
        return max(self.size, abs(value - self.carried)) if np.isfinite(value) else self.size

    def meets(self, other: Slope, slack: float) -> bool:
        return self.low <= other.high + slack and other.low <= self.high + slack


@dataclass(frozen=True, slots=True)
class Precision:
    """Of the program that is looked at: the steps to try, finest last but for what only decides if these cannot."""

    eps: float
    steps: tuple[float, ...]
    known: float  # a derivative is, where it is uncertain by no more than this part of its size
    tolerance: float  # for the gradient, relative to that size


DOUBLE = Precision(2.0**-52, (2.0**-14, 2.0**-20, 2.0**-26, 2.0**-8), 0.1, 1e-5)
FLOAT = Precision(2.0**-23, (2.0**-6, 2.0**-9, 2.0**-12, 2.0**-3), 0.1, 1e-2)
# Most programs compute in float and round once.
HALF = Precision(2.0**-12, (2.0**-2, 2.0**-3, 2.0**-1), 0.3, 5e-2)
BFLOAT16 = Precision(2.0**-9, (2.0**-1, 2.0**-2), 0.3, 1e-1)


@dataclass(frozen=True, slots=True)
class Point:
    """Where the function is after a step along a line."""

    step: float  # as it came out
    moved: Array  # each of the line's elements
    numbers: Array  # that the function ends with


# What a step leads to; None where the function fails there.
At = Callable[[float], Point | None]


@dataclass(frozen=True, slots=True)
class _Side:
    """The derivative from one side, of each number."""

    whole: Array  # by the step
    half: Array  # by its half
    limit: Array  # extrapolated to none
    rounding: Array  # of a value, by the half step
    steps: tuple[float, float]
    good: Array


class Line:
    """Differences along one line through the point."""

    def __init__(self, at: At, first: Array, weights: Array, wobble: Array, own: Array, eps: float) -> None:
        """`own` are the numbers that the line's elements are themselves in the end; -1 for one that does not count."""
        self._at, self._first, self._weights, self._wobble, self._eps = at, first, weights, wobble, eps
        self._own = own
        self._known: dict[float, Point | None] = {}
        self._changed: dict[float, Array] = {}

    def _after(self, step: float) -> Point | None:
        if step not in self._known:
            self._known[step] = self._at(step)
        return self._known[step]

    def slope(self, step: float) -> Slope | None:
        """The derivative by steps of this size; None where they tell nothing."""
        points = [self._after(s) for s in (step, step / 2, -step, -step / 2)]
        found = [p for p in points if p is not None]
        with np.errstate(all="ignore"):
            changed = np.zeros(self._first.shape, bool)
            alone = self._own >= 0
            for point in found:
                changed |= (point.numbers != self._first) & ~(np.isnan(point.numbers) & np.isnan(self._first))
                alone &= point.numbers[self._own] - self._first[self._own] == point.moved
            self._changed[step] = changed.copy()
            changed[self._own[alone]] = False
            carried = 0.0
            if found:
                carried = float((self._weights[self._own[alone]] * found[0].moved[alone]).sum() / found[0].step)
            at = np.flatnonzero(changed)
            right, left = self._side(points[0], points[1], at), self._side(points[2], points[3], at)
            return self._joined(step, right, left, self._weights[at], carried)

    def unseen(self, slope: Slope, magnitudes: Array, largest: float) -> float:
        """How much of a derivative may be missing, since its steps are lost in the rounding of numbers that have not
        changed, or of what these are computed from, which may be as large as the `largest` number of the program: that
        of `(1 + x / 1e46) - 1` is. `magnitudes` are those of what they depend with, by another witness: what depends
        on nothing is not excused."""
        noise = ROUNDING * (self._eps * largest + self._wobble) / slope.step
        lost = np.fmin(np.where(self._changed[slope.step], 0.0, np.abs(magnitudes)), noise)
        return float(np.nansum(np.abs(self._weights) * lost)) * (1 + ROUNDING * self._eps)

    def _side(self, whole: Point | None, half: Point | None, at: Array) -> _Side:
        if whole is None or half is None or whole.step == half.step or half.step == 0:
            nothing, zero = np.full(at.shape, np.nan), np.zeros(at.shape)
            return _Side(nothing, nothing, nothing, zero, (1.0, 0.5), np.zeros(at.shape, bool))
        first = self._first[at].astype(np.longdouble)
        by_whole = (whole.numbers[at] - first) / whole.step
        by_half = (half.numbers[at] - first) / half.step
        limit = (by_half * whole.step - by_whole * half.step) / (whole.step - half.step)
        largest = np.fmax(np.abs(self._first[at]), np.fmax(np.abs(whole.numbers[at]), np.abs(half.numbers[at])))
        rounding = ROUNDING * (self._eps * largest + self._wobble[at]) / abs(half.step)
        good = np.isfinite(by_whole) & np.isfinite(by_half)
        good &= np.abs(by_half) <= CONVERGED * np.abs(by_whole) + 4 * rounding
        return _Side(by_whole, by_half, limit, rounding, (whole.step, half.step), good)

    def _joined(self, step: float, right: _Side, left: _Side, weights: Array, carried: float) -> Slope | None:
        both = right.good & left.good
        if not np.all(right.good | left.good):
            return None
        sizes = np.abs(weights)
        bent = [np.where(side.good, np.abs(side.whole - side.half), 0) for side in (right, left)]
        rounding = np.fmax(*(np.where(side.good, side.rounding, 0) for side in (right, left)))
        kinked = both & (np.abs(right.limit - left.limit) > 2 * (bent[0] + bent[1]) + 8 * rounding)
        smooth = both & ~kinked
        # from unequal steps, to the second order
        whole, half = (_central(right, left, k) for k in (0, 1))
        central = np.where(smooth, half + (half - whole) / 3, 0)
        off = np.where(smooth, (half - whole) / 3, 0)
        low = np.where(right.good, right.limit, left.limit)
        high = np.where(left.good, left.limit, right.limit)
        low, high = np.fmin(low, high), np.fmax(low, high)
        low, high = (np.where(smooth, central, side) for side in (low, high))
        ends = np.where(weights > 0, low, high), np.where(weights > 0, high, low)
        error = np.where(smooth, 1.5 * rounding, np.fmax(*bent) + 4 * rounding) * sizes
        uncertain = float(abs((weights * off).sum()) + 2 * _root(weights * off) + DEVIATIONS * _root(error))
        shape = Shape.SMOOTH if smooth.all() else Shape.KINK if both.all() else Shape.JUMP
        # at a maximum the derivative is zero, and what it is made of is what stands on both sides
        largest = np.fmax(*(np.where(side.good, np.abs(side.half), 0) for side in (right, left)))
        size = float((sizes * np.fmax(largest, np.fmax(np.abs(low), np.abs(high)))).sum())
        first, last = (float((weights * end).sum()) + carried for end in ends)
        if shape is Shape.KINK and last - first <= 2 * uncertain + SAME * size:
            shape = Shape.SMOOTH
        beside = uncertain + ROUNDING * self._eps * abs(carried)  # as adjoints have it, which are rounded
        return Slope(step, first - beside, last + beside, size, uncertain, shape, carried)


def _central(right: _Side, left: _Side, k: int) -> Array:
    forth, back = abs(right.steps[k]), abs(left.steps[k])
    by = (right.whole, left.whole) if k == 0 else (right.half, left.half)
    return (by[0] * back + by[1] * forth) / (forth + back)


def _root(errors: Array) -> float:
    return float(np.sqrt((errors.astype(np.longdouble) ** 2).sum()))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What differences say of a gradient along a line."""

    decided: bool
    right: bool
    slope: Slope | None  # the one that says so
    error: float = 0.0  # relative to the size of the derivative


def judge(line: Line, unit: float, value: float, precision: Precision) -> Verdict:
    """Whether `value` is the derivative along the line, or lies between those from both sides of a kink.

    The finest steps that tell something decide. Where the function is smooth, the first ones that agree are enough; a
    kink must still be there in a finer step; and what would be wrong must be so by two sizes of steps that agree.
    """
    known: list[Slope] = []
    for size in precision.steps:
        slope = line.slope(size * unit)
        if slope is None:
            continue
        enough = precision.known if slope.shape is Shape.SMOOTH else min(precision.known, EDGES_KNOWN)
        if slope.uncertain > enough * slope.scale(value):
            continue
        known.append(slope)
        known.sort(key=lambda s: -s.step)
        sure = slope.shape is Shape.SMOOTH or (len(known) > 1 and known[-2].shape is slope.shape)
        if sure and slope is known[-1] and _fits(slope, value, precision):
            return Verdict(True, True, slope)
    if not known:
        return Verdict(False, False, None)
    finest = known[-1]
    if _fits(finest, value, precision):
        return Verdict(True, True, finest)
    if len(known) > 1:
        before = known[-2]
        slack = precision.tolerance * max(finest.size, before.size)
        if not _fits(before, value, precision) and finest.meets(before, slack):
            sharper = min((finest, before), key=lambda s: (s.uncertain, -s.step))
            return Verdict(True, False, sharper, relative(sharper, value))
    return Verdict(False, False, finest)


def relative(slope: Slope, value: float) -> float:
    """How far a value is from the range, relative to the size of the derivative."""
    distance = slope.distance(value)
    return distance / slope.scale(value) if np.isfinite(distance) and distance else distance


def _fits(slope: Slope, value: float, precision: Precision) -> bool:
    return relative(slope, value) <= precision.tolerance
