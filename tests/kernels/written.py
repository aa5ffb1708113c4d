"""What is differentiated in written.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X
from tests.kernels.making import shaped, single, zeros

CASES = (
    Case("written", "own_variables", "x, y", (X, X, N)),
    Case("written", "by_a_function", "x, y", (X, shaped(N, 2), N)),
    Case("written", "by_a_union", "x, y", (single(N), zeros(N, "f4"), N)),
)
