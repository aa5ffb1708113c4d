"""Steps of integers: indices that atomics find, slots that they give out, tables that they fill."""

from tests.kernels.making import real, single, zeros
from tests.programs.case import Program

CASES = (
    Program("integer_steps", "largest", "x, y", (single(20), zeros(1, "f4"), zeros(1, "i4"), zeros(1, "f4"), 20)),
    Program("integer_steps", "listed", "x", (real(30), 30, 41)),
)
