"""What is differentiated in lambdas.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros

CASES = (
    Case("lambdas", "in_place", "x, y", (real(32), zeros(32)), 1, 32, one_launch=True),
    Case("lambdas", "tables", "x, y", (real(32), zeros(32), 32), 1, 32, one_launch=True),
    Case("lambdas", "dynamic", "x, y", (single(32), zeros(32, "f4")), 1, 32, shared_mem=128, one_launch=True),
    Case("lambdas", "ranges", "x, y", (real(32), zeros(32)), 1, 32, one_launch=True),
)
