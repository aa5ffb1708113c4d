"""What is differentiated in swaps.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import indices, zeros

COUNTED = (X, Y, zeros(2, "i4"), zeros(1, "f4"), N)
CASES = (
    Case("swaps", "read_inside", "x, bins", (X, indices(N, 4), zeros(4), N)),
    Case("swaps", "counters_by_swaps", "x, y", COUNTED),
    Case("swaps", "other_swaps", "x, y", (X, Y, zeros(1, "i4"), N)),
)
