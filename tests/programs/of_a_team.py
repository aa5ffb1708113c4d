"""A function whose directives mean the team of a caller, and one with static variables."""

from tests.kernels.making import real
from tests.programs.case import Program

N = 7
CASES = (
    Program("of_a_team", "of_a_team", "x, y", (real(N), real(N), N)),
    Program("of_a_team", "with_static", "x", (real(N), N)),
)
