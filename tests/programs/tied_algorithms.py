"""Log-sum-exps whose maximum is found by the algorithms of libraries, of numbers of which many are equal."""

from tests.kernels.ties import WHAT, filled
from tests.programs.case import Program

FUNCTIONS = ("by_cub", "by_thrust<false>", "by_thrust<true>")
CASES = tuple(
    Program("tied_algorithms", function, "x", (filled(50, what), 50), label=what)
    for function in FUNCTIONS
    for what in WHAT
)
