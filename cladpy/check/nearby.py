"""The derivatives of a function at points nearby: the range that a derivative at a kink can be in.

Where several numbers are equal, the derivative along one of them may be the same from both sides although the function
has a kink there: the second largest of three equal numbers does not change when one of them does. So the point is moved
a little along all elements at once, and the one element then runs past all others. Near a smooth function's point all
these derivatives are nearly the same.
"""

from __future__ import annotations

import numpy as np

from cladpy.check.arguments import Array
from cladpy.check.differences import DEVIATIONS, ROUNDING, Precision
from cladpy.check.elements import Elements
from cladpy.check.functional import Functional

_SCANS = 2
# How far the element runs, in units of how far the others have moved.
_REACH = 1.25
_MOST_INTERVALS = 24
# An interval is so many times as long as rounding would have it: at least.
_RESOLVED = 40.0
_CLOSER = 6
_TRIES = 3
# The derivatives in both halves of an interval are the same up to this part.
_SAME = 0.25


class Nearby:
    """Where the derivative along one element lies at points nearby."""

    def __init__(self, functional: Functional, elements: Elements, precision: Precision, seed: int) -> None:
        self._functional, self._elements, self._precision, self._seed = functional, elements, precision, seed

    def around(self, element: int, value: float) -> bool:
        """Whether a value lies in the range of these derivatives."""
        below = above = False
        for scan in range(_SCANS):
            track = _Track(self._functional, self._elements, self._precision, element, (self._seed, scan))
            below = below or track.reaches(value, -1)
            above = above or track.reaches(value, 1)
            if below and above:
                return True
        return False


class _Track:
    """Where the element runs, at a point nearby."""

    def __init__(
        self, functional: Functional, elements: Elements, precision: Precision, element: int, seed: tuple[int, int]
    ) -> None:
        self._functional, self._elements, self._eps = functional, elements, precision.eps
        self._element, self._unit = element, float(elements.units[element])
        self._along = np.flatnonzero(np.isfinite(elements.values))
        reach = precision.steps[0]
        moves = np.random.default_rng(seed).uniform(-1, 1, self._along.size) * reach
        self._moves = moves * elements.units[self._along]
        self._place = int(np.searchsorted(self._along, element))
        count = int(np.clip(2 * _REACH * reach / (_RESOLVED * self._eps), 4, _MOST_INTERVALS))
        self._points = [self._at(t) for t in np.linspace(-_REACH, _REACH, count + 1) * reach * self._unit]
        self._slopes = [self._slope(a, b) for a, b in zip(self._points, self._points[1:], strict=False)]

    def _at(self, place: float) -> tuple[float, Array] | None:
        """The numbers that the function ends with, where the element is moved so far."""
        moves = self._moves.copy()
        moves[self._place] = place
        found = self._functional.at(self._along, moves)
        return None if found is None else (float(found[0][self._place]), found[1])

    def _slope(self, first: tuple[float, Array] | None, last: tuple[float, Array] | None) -> tuple[float, float] | None:
        """The derivative between two points, and what rounding does to it."""
        if first is None or last is None or first[0] == last[0]:
            return None
        width = last[0] - first[0]
        different = first[1] != last[1]
        own, carried = self._functional.own[self._element], 0.0
        if own >= 0 and last[1][own] - first[1][own] == width:  # the element itself, which is exact
            different[own], carried = False, float(self._functional.weights[own])
        changed = np.flatnonzero(different)
        weights = self._functional.weights[changed]
        with np.errstate(all="ignore"):
            change = float((weights * (last[1][changed].astype(np.longdouble) - first[1][changed])).sum())
            sizes = np.fmax(np.abs(first[1][changed]), np.abs(last[1][changed]))
            noise = ROUNDING * DEVIATIONS * float(np.sqrt(((weights * self._eps * sizes) ** 2).sum()))
        return (change / width + carried, noise / width) if np.isfinite(change) else None

    def reaches(self, value: float, side: int) -> bool:
        """Whether some derivative is at least `value`, or at most it where the side is -1. What is found in one half of
        an interval only is looked at closer: at a jump it grows for ever."""
        found = [(side * s[0], k) for k, s in enumerate(self._slopes) if s and side * (s[0] - value) >= -s[1]]
        for _, k in sorted(found, reverse=True)[:_TRIES]:
            first, last, slope = self._points[k], self._points[k + 1], self._slopes[k]
            for _ in range(_CLOSER):
                if first is None or last is None or slope is None or side * (slope[0] - value) < -slope[1]:
                    break
                middle = self._at((first[0] + last[0]) / 2)
                one, other = self._slope(first, middle), self._slope(middle, last)
                if one is None or other is None:
                    break
                if abs(one[0] - other[0]) <= _SAME * max(abs(one[0]), abs(other[0])) + one[1] + other[1]:
                    return True
                if side * one[0] > side * other[0]:
                    last, slope = middle, one
                else:
                    first, slope = middle, other
        return False
