"""What is differentiated in leaving.cu."""

from __future__ import annotations

from dataclasses import replace

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import indices, real, zeros

_CASES = (
    Case("leaving", "answers", "x, y, limit", (X, Y, 0.7, N)),
    Case("leaving", "answers", "x, y, limit", (real(60, 0.05, 0.2), Y, 0.95, N), label="small_numbers"),
    Case("leaving", "leaves_in_do", "x, y", (X, Y, N)),
    Case("leaving", "rows", "x, y", (real(7 * 40), indices(7, 9), zeros(7 * 40), 7, 40), 3, 64),
    Case("leaving", "rows", "x, y", (real(2 * 33), indices(2, 9), zeros(2 * 33), 2, 33), 4, 33, "more_blocks"),
    Case("leaving", "declared_between", "x, y", (X, Y, N)),
    Case("leaving", "at_the_second<40>", "x, y", (real(32), zeros(16), 32), 1, 32),
    Case("leaving", "never", "x, y", (real(32), zeros(32)), 1, 32),
)

# Their shared memory is made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
