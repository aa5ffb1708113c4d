"""What is differentiated in in_step.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import indices, real, zeros

X, Y = real(N), zeros(N)
COUNTS, A = indices(N, 7), real(7)

CASES = (
    Case("in_step", "until_dark", "samples, x, y", (real(9 * N), X, Y, 9, N)),
    Case("in_step", "own_counts", "a, x, y", (COUNTS, A, X, Y, N)),
    Case("in_step", "nested", "a, x, y", (COUNTS, A, X, Y, N)),
    Case("in_step", "in_place", "v, x, y", (COUNTS, real(7 * N), X, Y, N)),
    Case("in_step", "with_barrier", "x, y", (X, Y, 5, N), one_launch=True),
)
