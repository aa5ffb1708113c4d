from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    Case(
        "unmet",
        "running_sums<4, 3>",
        "x, y",
        (real(5 * 19), zeros(5 * 19), 5, 19),
        2,
        (4, 3),
        "of 4 by 3",
        one_launch=True,
    ),
    Case("unmet", "overlapping", "x, y", (real(32), zeros(32)), 1, 32, one_launch=True),
    Case("unmet", "products", "x, y", (real(192), zeros(192)), 2, 96, shared_mem=96 * 8, one_launch=True),
    Case("unmet", "by_many", "x, y", (real(64), zeros(64), 40), 1, 64, shared_mem=64 * 8, one_launch=True),
    Case("unmet", "merged", "x, y", (real(8 * 12), zeros(8), 12), 1, 8, one_launch=True),
)
