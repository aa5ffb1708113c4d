"""A smaller input at which a backward is still wrong: numbers become 0, 1, or what has fewer digits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cladpy.check.arguments import Array
from cladpy.check.handwritten.inputs import Input
from cladpy.check.handwritten.referee import Wrong

# So many inputs are tried.
_TRIALS = 120


def shrunken(first: Wrong, wrong: Callable[[Input], Wrong | None]) -> Wrong:
    """One number after the other, as long as the input is wrong in the same way."""
    best, left = first, _TRIALS
    for position, value in enumerate(first.input.arguments):
        if not (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
            continue
        for index in range(value.size):
            for simpler in _simpler(best.input.arguments[position], index):
                if left == 0:
                    return best
                left -= 1
                found = wrong(best.input.changed(position, simpler))
                if found is not None and bool(found.failure) == bool(first.failure):
                    best = found
                    break
    return best


def _simpler(array: Array, index: int) -> Iterator[Array]:
    """The array with a simpler number at one place, the simplest first."""
    held = float(array.reshape(-1)[index])
    for simple in dict.fromkeys((0.0, 1.0, -1.0, float(np.round(held)), float(np.round(held, 1)))):
        if simple == held:
            return
        if np.isfinite(held):
            made = array.copy()
            made.reshape(-1)[index] = simple
            yield made
