"""What is differentiated in discarded.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, zeros

CASES = (
    Case("discarded", "replaced", "x, y", (X, Y, N)),
    Case("discarded", "chosen", "x, y", (X, Y, N)),
    Case("discarded", "stored_over", "x, y", (X, Y, N)),
    Case("discarded", "last_one", "x, y", (X, Y, N)),
    Case("discarded", "others", "x, y", (real(12), zeros(12), 12), 1, 16, one_launch=True),
    Case("discarded", "in_shared_memory", "x, y", (X, Y, N), one_launch=True),
)
