from __future__ import annotations

from tests.kernels.making import real, zeros
from tests.programs.case import Program

X = real(20)

CASES = (
    Program("resources", "by_classes", "in", (X, 20)),
    Program("resources", "by_new", "in", (X, 20)),
    Program("resources", "by_variables", "in", (X, real(3), 20)),
    Program("resources", "model", "in, a", (X, 0.7, 20, 4)),
    Program("resources", "two", "out, in, c", (zeros(20), X, 0.7, 20)),
)
