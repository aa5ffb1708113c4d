"""What is differentiated in large_shared.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, zeros

ALL = real(32)

CASES = (
    Case("large_shared", "smoothed", "x, y", (X, Y, N)),
    Case("large_shared", "stepped", "x, y", (ALL, zeros(32), 5), 2, 16, one_launch=True),
    Case("large_shared", "until_small", "x, y", (ALL, zeros(32)), 2, 16, one_launch=True),
    Case(
        "large_shared", "beside_dynamic", "x, w, y", (ALL, real(1), zeros(32)), 2, 16, shared_mem=128, one_launch=True
    ),
    Case("large_shared", "beside_indices", "x, y", (ALL, zeros(32)), 2, 16, shared_mem=64, one_launch=True),
)
