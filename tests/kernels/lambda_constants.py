"""What is differentiated in lambda_constants.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = tuple(
    Case("lambda_constants", name, "x, y", (real(40), zeros(40), 40), 2, 32)
    for name in ("numbers", "of_all_kinds", "copies", "in_members")
)
