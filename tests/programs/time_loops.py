"""Loops of launches over buffers that change places."""

from tests.kernels.making import real
from tests.programs.case import Program

X = real(40)
SWAPS = ("by_std_swap", "by_temporary", "by_parity", "by_array", "by_struct")
CASES = (
    *(Program("time_loops", name, "x, rate", (X, 0.2, 40, 5)) for name in SWAPS),
    *(Program("time_loops", name, "x, rate", (X, 0.2, 40, 4), label="even") for name in SWAPS[1:3]),
    Program("time_loops", "by_std_swap", "x, rate", (X, 0.2, 40, 0), label="no_step"),
    Program("time_loops", "on_the_callers", "x, y, rate", (X, X, 0.2, 40, 5)),
    Program("time_loops", "on_the_callers", "x, y, rate", (X, X, 0.2, 40, 2), label="even"),
    Program("time_loops", "in_place", "x, rate", (X, 0.3, 40, 6)),
    Program("time_loops", "ring", "x, rate", (X, 0.1, 40, 2, 2)),
)
