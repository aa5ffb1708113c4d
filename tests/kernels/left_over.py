"""What is differentiated in left_over.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real

CASES = (
    Case("left_over", "not_taken", "x, y", (real(4), real(4), 4), None, None),
    Case("left_over", "allocated_again", "x, y", (real(8), real(8), 8), None, None),
    Case("left_over", "many_allocations", "x, y", (real(7), real(1), 7), None, None),
    Case("left_over", "launched_without", "x, y", (real(8), real(8), 8), None, None),
    Case("left_over", "pointers_in_allocations", "x, y", (real(5), real(5), 5), None, None),
)
