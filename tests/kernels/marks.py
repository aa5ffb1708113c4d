"""What is differentiated in marks.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import blank, shaped

CASES = (
    Case("marks", "marked_functions", "x, y, z", (X, Y, X, N)),
    Case("marks", "marked_variables", "", (X, Y, Y, N)),
    Case("marks", "marked_classes", "x, y", (X, Y, N)),
    Case("marks", "marked_objects", "x, y", (shaped(N, 3), blank(N, 3), N)),
)
