"""What is differentiated in passed_on.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real

N = 40
ROW = real(N)

CASES = (
    Case("passed_on", "moved_on", "work, x, y", (ROW, ROW, ROW, N), 2, 32, one_launch=True),
    Case("passed_on", "moved_on_alone", "work, x, y", (ROW, ROW, ROW, N), 2, 32),
    Case("passed_on", "moved_between", "work, other, x, y", (ROW, ROW, ROW, ROW, N), 2, 32),
)
