"""std::function in host code."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

CASES = (
    Program("held_functions", "given_to_functions", "x, y", (1.3, 0.7)),
    Program("held_functions", "chosen", "x, y", (1.3, 0.7)),
    Program("held_functions", "chosen", "x, y", (0.6, 0.7), label="other"),
    Program("held_functions", "in_objects", "x, y", (1.3, 0.7)),
    Program("held_functions", "with_effects", "x, y, mu", (real(8), zeros(8), 1.3, 8)),
)
