"""Classes that own memory."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

X = real(45)
CASES = (
    Program("owners", "sum_of_squares", "x, a", (X, 1.3, 45)),
    Program("owners", "by_buffers", "x, a", (X, 0.7, 45)),
    Program("owners", "by_members_that_move", "x, a", (X, 0.7, 45)),
    Program("owners", "by_algorithms", "y, x", (zeros(9), real(9), 9)),
    Program("owners", "by_owning_pointers", "x", (real(7), 7)),
    Program("owners", "by_allocators", "x", (real(5), 5)),
    Program("owners", "by_growing", "x", (0.9, 6)),
)
