"""What is differentiated in long_loops.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single, zeros

CASES = (
    *(
        Case("long_loops", "horner", "c, x, out", (real(700), real(N, 0.6, 1.01), Y, degree, N), label=f"{degree}")
        for degree in (0, 1, 16, 17, 300, 700)
    ),
    Case("long_loops", "filter", "in, g, out", (single(N, 0.8, 1.2), single(5, 0.8, 1.2), zeros(N, "f4"), N)),
    Case("long_loops", "until", "x, w, out", (X, real(3), Y, N)),
    Case("long_loops", "mixing", "x, w, out", (X, real(4), Y, 70, N)),
    Case("long_loops", "layers", "c, x, out", (real(40), X, Y, 30, 37, N)),
    Case("long_loops", "overwritten", "a, c, out", (X, real(33), Y, 33, N)),
    Case("long_loops", "twice_shifted", "a, c", (real(64), real(64), 9, 3), one_launch=True),
    Case("long_loops", "tails", "c, x, out", (real(43), real(N, 1.7, 1.95), Y, 40, N)),
    Case("long_loops", "so_many", "x, t, out", (X, None, real(8 * N), Y, 9, N)),
)
