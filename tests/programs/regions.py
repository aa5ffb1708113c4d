"""Regions of OpenMP of which each thread runs all; the number of threads may change the value."""

from tests.kernels.making import real
from tests.programs.case import Program

N = 13
X = real(N)
CASES = (
    Program("regions", "own_sums", "x", (X, N)),
    Program("regions", "own_copies", "x", (X, N)),
    Program("regions", "by_number", "x, y", (X, real(N), N)),
    Program("regions", "each", "x", (X, N)),
    Program("regions", "unawaited", "x, y, z", (X, real(2 * N), real(N), N)),
    Program("regions", "products", "x", (X, N)),
    Program("regions", "asked_for", "x", (X, N)),
)
