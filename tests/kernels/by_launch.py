"""What is differentiated in by_launch.cu."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

_KINDS = np.repeat(np.array([4, 5, 6], dtype=np.int32), 32)

_CASES = (
    Case("by_launch", "strided", "x, y", (real(12 * 8), zeros(12 * 8), 12), 2, (8, 1, 3)),
    Case("by_launch", "strided", "x, y", (real(5 * 8), zeros(5 * 8), 5), 2, (8, 1, 1), "one_plane"),
    Case("by_launch", "arms", "x, y", (real(96), lambda _: _KINDS, zeros(96), 5), 3, 32),
    Case("by_launch", "called", "x, y", (real(7 * 32), zeros(7 * 32), 7), 1, 32),
    Case("by_launch", "called", "x, y", (real(3 * 32), zeros(3 * 32), 3), 1, 32, "to_the_end"),
    Case("by_launch", "after_return", "x, y", (real(32), zeros(32), 23), 1, 32),
    Case("by_launch", "last", "x, y", (real(32), zeros(32), lambda _: np.full(32, 3, dtype=np.int32)), 1, 32),
)

# Their shared memory is made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
