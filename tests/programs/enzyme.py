"""The programs of Enzyme's guide."""

from tests.kernels.making import real, single
from tests.programs.case import Program

CASES = (
    Program("enzyme", "square_on_device", "x", (1.4,)),
    Program("enzyme", "iter", "src, dst", (4, single(100, 0.1, 0.9), single(100, 0.1, 0.9))),
    Program("enzyme", "iter_double", "src, dst", (4, real(100, 0.1, 0.9), real(100, 0.1, 0.9))),
    Program("enzyme", "iter_double", "src, dst", (1, real(100, 0.1, 0.9), real(100, 0.1, 0.9)), label="no_step"),
    Program("enzyme", "iter_double", "src", (2, real(100, 0.1, 0.9), real(100, 0.1, 0.9)), label="src"),
)
