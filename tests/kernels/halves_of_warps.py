"""What is differentiated in halves_of_warps.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import indices, real, zeros

CASES = (
    Case(
        "halves_of_warps",
        "loops_in_tests",
        "x, y",
        (real(64), lambda rng: np.array([4, 2], np.int32), zeros(64)),
        one_launch=True,
    ),
    Case("halves_of_warps", "pairs_that_ask", "x, y", (real(64), indices(32, 5), zeros(64)), one_launch=True),
    Case("halves_of_warps", "read_after_adding", "x, sums, y", (real(64), zeros(2), zeros(64)), one_launch=True),
    Case("halves_of_warps", "waits_for_nothing", "x, y", (real(64), zeros(64), 4), one_launch=True),
)
