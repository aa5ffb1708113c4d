"""Loops that the threads of OpenMP share."""

from tests.kernels.making import real
from tests.programs.case import Program

N = 13
X = real(N)
CASES = (
    *(
        Program("openmp", name, "x", (X, N))
        for name in ("summed", "kept", "stepped", "extremes", "one_at_a_time", "lanes", "in_methods")
    ),
    Program("openmp", "in_a_region", "x, y", (X, real(N), N)),
    Program("openmp", "offloaded", "x, y", (X, real(N), N)),
)
