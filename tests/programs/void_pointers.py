"""Memory that is passed on as pointers to void."""

from tests.kernels.making import real, single, zeros
from tests.programs.case import Program

CASES = (
    Program("void_pointers", "called", "y, x, by", (zeros(40), real(40), 0.7, 40)),
    Program("void_pointers", "through_a_buffer", "x, y", (real(40), zeros(40), 40)),
    Program("void_pointers", "mean_of_squares", "values", (single(40), 40)),
)
