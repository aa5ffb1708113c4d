"""Memory that is reached from beyond its end."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (Program("edges", "from_the_end", "x, factor", (real(6), 0.9, 6, 3)),)
