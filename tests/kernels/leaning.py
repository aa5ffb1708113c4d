"""What is differentiated in leaning.cu, by the one warp that it is for."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    Case("leaning", "mirrored", "x, y", (real(32), zeros(32)), 1, 32, one_launch=True),
    Case("leaning", "voted", "x, y", (real(32), zeros(32)), 1, 32, one_launch=True),
    Case("leaning", "in_turns", "x, y", (real(32), zeros(32), 3), 1, 32, one_launch=True),
)
