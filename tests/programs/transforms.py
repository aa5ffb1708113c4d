"""Passes with a launch for each stage."""

from tests.kernels.making import real, shaped, zeros
from tests.programs.case import Program

CASES = (
    Program("transforms", "spectrum", "out, in", (zeros(16), shaped(16, 2), 4)),
    Program("transforms", "weighted_ranks", "in", (real(16), 16)),
)
