"""What is differentiated in outside_sums.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, Y
from tests.kernels.making import Make, real, single, zeros

COLUMNS = 5
ROWS = real(N * COLUMNS)


def with_zeros(n: int, columns: int) -> Make:
    """Every third row is zero."""
    return lambda rng: np.repeat(np.arange(n) % 3 != 1, columns) * rng.uniform(0.2, 1.2, n * columns)


CASES = (
    Case("outside_sums", "spread", "y, x", (zeros(N * COLUMNS), ROWS, N, COLUMNS)),
    Case(
        "outside_sums",
        "several_rows",
        "y, z, x, g, h",
        (zeros(N * COLUMNS), zeros(N * COLUMNS), ROWS, ROWS, ROWS, N, COLUMNS),
    ),
    Case("outside_sums", "two_of_them", "y, x, p", (Y, ROWS, 0.7, N, COLUMNS)),
    Case("outside_sums", "not_a_sum", "y, x", (Y, ROWS, N, COLUMNS)),
    Case("outside_sums", "roots", "y, x, m", (Y, ROWS, real(N), N, COLUMNS)),
    Case("outside_sums", "roots", "y, m", (Y, with_zeros(N, COLUMNS), real(N), N, COLUMNS), label="of_zeros"),
    *(
        Case(
            "outside_sums",
            "deviations",
            "y, x",
            (zeros(7 * columns, "f4"), single(7 * columns), 7, columns),
            4,
            64,
            f"of_{columns}",
            one_launch=True,
        )
        for columns in (64, 150, 20)
    ),
)
