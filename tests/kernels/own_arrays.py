"""What is differentiated in own_arrays.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

USED = np.array([1, 1, 0, 0, 1, 1, 1, 1], dtype=np.int32)  # as one for all rows that a block has at a time

CASES = (
    Case("own_arrays", "four_at_a_time", "y, x", (zeros(3), real(3 * 80), 80), 3, 8, one_launch=True),
    Case("own_arrays", "nearest", "y, x, z", (zeros(4 * 11), real(3 * 11), real(3 * 9), 11, 9), 2, 4),
    Case("own_arrays", "left_by_earlier", "y, x", (zeros(5 * 4), real(5), 5), 1, 4, one_launch=True),
    Case("own_arrays", "sums_below", "y, x", (zeros(2 * 4 * 4), real(2 * 9), 9, 1.7), 1, 4, one_launch=True),
    Case(
        "own_arrays", "all_of_it", "y, z, x", (zeros(2 * 4 * 2), zeros(2 * 9 * 4), real(2 * 9), 9), 1, 4,
        one_launch=True,
    ),
    *(
        Case(
            "own_arrays", "rows_apart", "y, x", (zeros(8), real(8 * 21), lambda _: USED.copy(), 8, 21), 2, (x, y),
            f"{x}_by_{y}", shared_mem=8 * (x + 2) * y, one_launch=True,
        )
        for x, y in ((8, 2), (32, 2))
    ),
)  # fmt: skip
