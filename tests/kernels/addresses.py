"""What is differentiated in addresses.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import single, zeros

SINGLE = single(N)
RESULT = zeros(N, "f4")

CASES = (
    Case("addresses", "by_alignment", "a, b, y", (SINGLE, SINGLE, RESULT, N), 1, one_launch=True),
    Case("addresses", "by_peeling", "x, y", (SINGLE, RESULT, N)),
    Case("addresses", "by_choice", "x, z, y", (SINGLE, SINGLE, RESULT, N)),
    Case("addresses", "by_bytes", "cloud, y", (single(2 * N + 1), RESULT, 8, N)),
    Case("addresses", "carved", "x, y", (SINGLE, RESULT, 29), 1, shared_mem=360, one_launch=True),
    Case("addresses", "of_locals", "x, y", (SINGLE, RESULT, N)),
    Case("addresses", "by_reference", "x, y", (SINGLE, RESULT, N)),
    Case("addresses", "by_value", "x, y", (SINGLE, RESULT, N)),
)
