"""Host functions with derivatives of their own."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

CASES = (
    Program("library_calls", "read_by_launch", "matrix, x, a, out", (real(25), real(5), 1.3, zeros(5), 5)),
    Program("library_calls", "power_iteration", "matrix, x, shift", (real(16), real(4), 0.4, 4, 5)),
    Program("library_calls", "parts", "x", (real(4), 4)),
    Program("library_calls", "of_the_library", "x", (real(3),)),
    Program("library_calls", "on_the_host", "x, y", (real(6), real(6), 6)),
    Program("library_calls", "by_method", "x, factor, out", (real(6), 0.7, zeros(6), 6, 4)),
)
