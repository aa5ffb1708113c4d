"""What is differentiated in gotos.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, zeros

CASES = (
    Case("gotos", "out_of_loops", "x, y", (X, Y, N)),
    Case("gotos", "back", "x, y", (X, Y, N)),
    Case("gotos", "mixed", "x, y", (X, Y, N)),
    Case("gotos", "both_back", "x, y", (X, Y, N)),
    Case("gotos", "with_barriers", "x, y", (real(30), zeros(30), 30), 1, 32, one_launch=True),
)
