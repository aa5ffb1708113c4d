"""Questions about kernels and memory."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (Program("occupancy", "as_occupancy_says", "x, w", (real(100), real(100), 100)),)
