"""What is differentiated in long_arrays.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

WHICH = np.array([5, 0, 47, 5, 31, 2], dtype=np.int32)

CASES = (
    *(
        Case(
            "long_arrays", "rows_in_registers", "y, x, w", (zeros(2 * n), real(2 * n), real(n), n), 2, 8, f"{n}",
            one_launch=True,
        )
        for n in (32, 29, 5)
    ),
    Case("long_arrays", "chosen", "y, x", (zeros(6), real(48), lambda _: WHICH.copy(), 6), 2, 3, one_launch=True),
)  # fmt: skip
