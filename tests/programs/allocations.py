"""Memory that is allocated in a branch."""

from tests.kernels.making import real
from tests.programs.case import Program

X = real(11)
CASES = (
    Program("allocations", "once", "x", (X, 11)),
    Program("allocations", "when_too_small", "x", (X, 11, 2), label="two_turns"),
    Program("allocations", "when_too_small", "x", (X, 11, 5)),
    Program("allocations", "every_third_turn", "x", (X, 11, 7)),
    Program("allocations", "of_their_length", "x", (X, 11)),
    Program("allocations", "aligned", "x", (X, 11)),
)
