"""What is differentiated in periodic.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    Case("periodic", "streamed", "f, g", (real(3 * 40), zeros(3 * 40), 8, 5), (2, 5), (6, 1)),
    Case("periodic", "streamed", "f, g", (real(3 * 40), zeros(3 * 40), 8, 3), (2, 5), (6, 1), "more_rows"),
    Case("periodic", "rings", "a, b, c, y", (real(60), real(60), real(60), zeros(1), 60)),
    Case("periodic", "both_sides", "x, y", (real(60), zeros(1), 60)),
    Case("periodic", "short_period", "x, y", (real(60), zeros(1), 60)),
)
