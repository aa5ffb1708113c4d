"""Sums in several launches."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

X = real(37)
CASES = (
    Program("reductions", "in_two_launches", "in", (X, 37)),
    Program("reductions", "by_halves", "in", (X, 37)),
    Program("reductions", "by_halves", "in", (X, 1), label="one"),
    Program("reductions", "level_by_level", "in", (real(70, 0.2, 0.9), 70)),
    Program("reductions", "standard_score", "in", (X, 37)),
    Program("reductions", "running_products", "out, in", (zeros(21), real(21), 21)),
)
