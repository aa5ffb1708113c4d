"""What is differentiated in overriding.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = (Case("overriding", "overriding", "x, y", (X, Y, N)),)
