"""Solvers whose scalars live on the host."""

from tests.kernels.making import increasing, real, zeros
from tests.programs.case import Program

CASES = (
    Program("solvers", "conjugate_gradients", "x, b, diagonal", (zeros(12), real(12), real(12), 12, 4)),
    Program("solvers", "conjugate_gradients", "x, b", (zeros(3), real(3), real(3), 3, 20), label="ends_early"),
    Program("solvers", "descent", "t, y, rate", (increasing(9), real(9), 0.05, 9, 6)),
    Program("solvers", "power_iteration", "m", (real(25), 5, 5)),
)
