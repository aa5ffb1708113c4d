"""What is differentiated in lone_barriers.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    Case("lone_barriers", "barrier_under_condition", "x, y", (real(32), zeros(31), 5), 1, one_launch=True),
    Case("lone_barriers", "barriers_in_a_loop", "x, y", (real(32), zeros(32), 4), 1, one_launch=True),
)
