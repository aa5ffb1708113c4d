"""Simulations."""

from tests.kernels.making import real, shaped, zeros
from tests.programs.case import Program

CASES = (
    Program(
        "physics",
        "heat_equation",
        "start, conductivity, dt",
        (shaped(6, 9), shaped(6, 9), shaped(6, 9), 0.1, 6, 9, 4),
    ),
    Program("physics", "burgers_equation", "u, viscosity", (real(24, -1, 1), 0.01, 24, 5)),
    Program("physics", "seismogram", "trace, source, speed", (zeros(12), real(12), real(20, 0.4, 0.8), 20, 12, 6, 9)),
    Program("physics", "leapfrog", "x, v, mass, dt", (shaped(5, 3), shaped(5, 3), real(5), 0.05, 5, 3)),
    Program("physics", "lattice", "f, omega", (real(9 * 12), 0.9, 3, 4, 3)),
)
