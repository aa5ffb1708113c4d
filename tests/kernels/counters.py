"""What is differentiated in counters.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single, zeros

CASES = (
    *(
        Case("counters", "directions", "x, w, y", (X, real(40), Y, first, last, N), label=f"{last}")
        for first, last in ((-3, 7), (0, 0), (2, 1), (-1, 37))
    ),
    Case("counters", "wide", "x, w, y", (X, real(20), Y, 20, 18, N)),
    Case("counters", "parts", "x, w, y", (real(4), real(71), zeros(128), 70, 4), 2, 64),
    Case("counters", "indices", "w, x, y", (single(9), single(N), zeros(N, "f4"), 9, N)),
    Case("counters", "by_remainders", "x, w, v, y", (real(128), real(64), real(50), zeros(128), 50, 120), 2, 64),
    *(
        Case("counters", "by_fours", "y, x", (zeros(64), real(160), n), 2, 32, f"of_{n}", one_launch=True)
        for n in (150, 40, 7, 3, 0)
    ),
)
