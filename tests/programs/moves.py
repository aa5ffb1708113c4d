"""Moves to memory that overlaps."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (
    Program("moves", "moved", "out, in", (real(11), real(11), 11)),
    Program("moves", "copied_along", "out, in", (real(11), real(11), 11)),
    Program("moves", "rotated", "out, in", (real(11), real(11), 11)),
    Program("moves", "columns", "out, in", (real(12), real(12), 4, 3)),
)
