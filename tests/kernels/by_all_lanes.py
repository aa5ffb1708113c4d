"""What is differentiated in by_all_lanes.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    Case("by_all_lanes", "summed", "x, y", (real(2 * 40), zeros(2), 40), 1, 64, one_launch=True),
    Case("by_all_lanes", "scaled", "x, y", (real(64), zeros(2)), 1, 64, one_launch=True),
)
