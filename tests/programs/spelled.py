"""Launches as they may be spelled."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (
    Program("spelled", "by_macro", "x, y, a", (real(4), real(4), 0.9)),
    Program("spelled", "by_brackets", "x, y, a", (real(8), real(8), 0.9, 8)),
)
