"""What is differentiated in named_functions.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import single, zeros

CASES = (
    Case("named_functions", "passed", "x, y", (X, Y, N)),
    Case("named_functions", "renamed", "x, y", (X, Y, N)),
    Case("named_functions", "mapped<halved>", "x, y", (single(N), zeros(N, "f4"), N)),
)
