"""What is differentiated in marks.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = (
    Case("marks", "marked_functions", "x, y, z", (X, Y, X, N)),
    Case("marks", "marked_variables", "", (X, Y, Y, N)),
)
