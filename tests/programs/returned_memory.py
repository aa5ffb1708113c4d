"""Memory that is returned: the gradient's caller gives an array for it."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

CASES = (
    Program("returned_memory", "of_the_host", "x, result", (real(40), 40, zeros(40))),
    Program("returned_memory", "of_the_device", "x, result", (real(40), 40, zeros(40))),
    Program("returned_memory", "scaled", "result, result_size, result_", (real(6), 0.7, zeros(6))),
    Program("returned_memory", "second_half", "x, result", (real(6), 6, zeros(3))),
)
