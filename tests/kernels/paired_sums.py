"""What is differentiated in paired_sums.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import real, single, zeros

M = 7
W, X, Y = real(M, 0.2, 0.7), real(N, 0.2, 0.8), zeros(N)

CASES = (
    Case("paired_sums", "two_weights", "a, b, x, y", (W, W, X, Y, M, N)),
    Case("paired_sums", "two_weights", "a, b, x, y", (W, W, real(90, 0.2, 0.8), zeros(90), M, 90), 3, 48, "half_warps"),
    Case("paired_sums", "three_weights", "a, b, c, x, y", (W, single(M, 0.1, 0.4), W, X, Y, M, N)),
    Case("paired_sums", "at_different_steps", "a, b, x, y", (W, W, X, Y, M, N)),
    Case("paired_sums", "neighbours", "a, b, x, y", (W, W, X, Y, M, N)),
    Case("paired_sums", "apart", "a, b, x, y", (W, W, X, Y, M, N)),
    Case("paired_sums", "many", "a, b, x, y", (single(300), single(300), single(N), zeros(N, "f4"), 300, N)),
    Case("paired_sums", "with_a_shuffle", "a, b, x, y", (real(9), real(10), real(64), zeros(64), 9), one_launch=True),
)
