"""Sorts of Thrust."""

from tests.kernels.making import indices, real, zeros
from tests.programs.case import Program

CASES = (
    Program("sorting", "ids", "x, y", (real(13), indices(13, 9), indices(13, 13), zeros(13), 13)),
    Program("sorting", "by_cell", "x, y", (real(20), zeros(20), 20)),
    Program("sorting", "numbers", "x, w", (real(20), real(20), 20)),
    Program("sorting", "extremes", "x, w", (real(20), real(20), 20)),
)
