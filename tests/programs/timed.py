"""Host code that asks for the time."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (
    Program("timed", "timed", "x, a", (real(6), 0.3, 6)),
    Program("timed", "measured", "x", (real(6), 6)),
)
