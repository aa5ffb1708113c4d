"""Arrays of numbers that kernels take for arrays of objects."""

from tests.kernels.making import half, real, zeros
from tests.programs.case import Program

CASES = (
    Program("seen_as_vectors", "of_both", "in, out", (real(16), real(16), 8)),
    Program("seen_as_vectors", "in_turn", "out, in", (zeros(10), real(10), 5, 3)),
    Program("seen_as_vectors", "copied", "in", (real(8), 4)),
    Program("seen_as_vectors", "of_halves", "x, w, y", (half(12), half(14), zeros(6, "f4"), 6)),
)
