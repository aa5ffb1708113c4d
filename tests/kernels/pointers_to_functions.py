"""What is differentiated in pointers_to_functions.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = (Case("pointers_to_functions", "by_pointers", "x, y", (X, Y, N)),)
