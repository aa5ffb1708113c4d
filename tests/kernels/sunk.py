"""What is differentiated in sunk.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, Y
from tests.kernels.making import real

COLUMNS = 7
ROWS, ROW = real(N * COLUMNS), real(COLUMNS)

CASES = (
    Case("sunk", "overwritten_between", "w, v, z, x, y", (ROW, ROW, ROWS, ROWS, Y, N, COLUMNS)),
    Case("sunk", "of_other_lengths", "w, v, x, y", (ROW, ROW, ROWS, Y, N, COLUMNS)),
)
