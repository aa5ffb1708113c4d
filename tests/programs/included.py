"""Launches in included files."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (Program("included", "blurred", "x", (real(40), 40, 2)),)
