"""What is differentiated in ending.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real

CASES = (
    Case("ending", "counters", "x, y", (X, Y, N, 11, 3)),
    Case("ending", "counters", "x, y", (X, Y, N, 0, 4), label="few"),
    Case("ending", "at_most", "x, y", (real(N, 0.2, 0.8), Y, N, 11)),
    Case("ending", "at_most_by_block", "x, y", (X, Y, N)),
)
