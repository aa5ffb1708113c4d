"""What is differentiated in evaluated_once.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import indices, real, zeros

A, W, X, Y = real(7), real(6), real(N), zeros(N)
RESONANCES = (indices(3, 4), real(9), real(3), W, X, zeros(2 * N), 3, N)

CASES = (
    Case("evaluated_once", "resonances", "poles, table, weights, y", (1, *RESONANCES)),
    Case("evaluated_once", "resonances", "poles, table, weights, x, y", (0, *RESONANCES), label="the_other_way"),
    *(
        Case("evaluated_once", name, "a, w, x, y", (A, W, X, Y, 7, N))
        for name in ("carried", "apart", "alike", "changed")
    ),
    Case("evaluated_once", "squared", "a, x, y", (A, X, Y, 7, N)),
)
