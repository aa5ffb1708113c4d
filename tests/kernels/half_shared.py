"""What is differentiated in half_shared.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import half, real, zeros

CASES = (
    Case(
        "half_shared",
        "half_product",
        "a, b, c",
        (half(64), half(64), zeros(64, "f2"), 8),
        (2, 2),
        (4, 4),
        one_launch=True,
    ),
    Case("half_shared", "half_exchange", "x, y", (half(N), zeros(N, "f2"), N), one_launch=True),
    Case("half_shared", "half_large", "x, y", (half(N), zeros(N, "f2"), N), one_launch=True),
    Case("half_shared", "half_dynamic", "x, y", (half(N), zeros(N, "f2"), N), shared_mem=192, one_launch=True),
    Case(
        "half_shared",
        "half_dynamic_sum",
        "x, w, y",
        (half(32), real(N), zeros(N), N),
        shared_mem=320,
        one_launch=True,
    ),
)
