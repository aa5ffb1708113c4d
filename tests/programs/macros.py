"""Launches that stand in macros."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (
    Program("macros", "by_macros", "x, a", (real(20), 0.9, 20, 2)),
    Program("macros", "among_directives", "x, a", (real(20), 0.9, 20)),
    Program("macros", "by_expressions", "x, a", (real(20), 0.9, 20)),
)
