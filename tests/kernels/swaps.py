"""What is differentiated in swaps.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X
from tests.kernels.making import indices, zeros

CASES = (Case("swaps", "read_inside", "x, bins", (X, indices(N, 4), zeros(4), N)),)
