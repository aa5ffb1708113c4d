"""What is differentiated in group_objects.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single, single_rows, zeros

CASES = (
    Case("group_objects", "largest", "x, y", (real(64), zeros(64)), one_launch=True),
    Case("group_objects", "neighbours", "x, y", (single(64), zeros(64, "f4")), one_launch=True),
    Case("group_objects", "among_those_present", "x, y", (single_rows(64, 2), zeros(128, "f4")), one_launch=True),
)
