"""Objects that host code handles member by member, and copies as a whole."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (
    Program("objects", "allocated", "start, dt", (real(40), 0.05, 40, 3)),
    Program("objects", "local", "start, dt", (real(8), 0.05, 8)),
    Program("objects", "to_base", "size, factor", (0.7, 1.3)),
)
