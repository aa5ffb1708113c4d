"""What is differentiated in carried_elements.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, zeros


def _labels(columns: int) -> np.ndarray:
    return (np.arange(5) * 7 % columns).astype("i4")


CASES = (
    *(
        Case(
            "carried_elements", "margins", "y, x", (zeros(5), real(5 * n), _labels(n), 5, n), 2, block,
            f"{n}_of_{block[0]}_by_{block[1]}", shared_mem=8 * (block[0] + 2) * block[1], one_launch=True,
        )
        for n, block in ((20, (16, 2)), (7, (8, 3)), (2, (4, 2)))
    ),
    *(
        Case(
            "carried_elements", "two_of_each", "y, x", (zeros(64), real(64), 64, turns), 2, 32, f"of_{turns}",
            one_launch=True,
        )
        for turns in (3, 0)
    ),
    Case("carried_elements", "by_the_first", "y, x", (zeros(96), real(96), 50), 3, 32, one_launch=True),
    Case("carried_elements", "not_alone", "y, x", (zeros(32), real(32), 9), 1, 32, one_launch=True),
)  # fmt: skip
