"""Loops that the threads of OpenMP share, in both sweeps."""

import numpy as np

from tests.kernels.making import real
from tests.programs.case import Program

N, M = 13, 5


def _order(rng: np.random.Generator) -> np.ndarray:
    return rng.permutation(N).astype(np.int32)


def _particles(rng: np.random.Generator) -> np.ndarray:
    return rng.uniform(0.3, 1.2, 3 * N).view([("place", "f8"), ("speed", "f8"), ("mass", "f8")])


X = real(N)
CASES = (
    Program("teams", "stencils", "x, y, z, s", (X, X, X, 0.7, N)),
    Program("teams", "products", "a, v, y, rows", (real(N * M), real(M), X, real(N * M), N, M)),
    Program("teams", "indirect", "x, y, h", (X, X, real(3), _order, N)),
    Program("teams", "steps", "x, y, dt", (X, X, 0.3, N, 3)),
    Program("teams", "orbits", "x", (X, N)),
    Program("teams", "called", "x", (X, N)),
    Program("teams", "particles", "p, g", (_particles, 0.4, N)),
    Program("teams", "in_order", "x, y", (X, X, N)),
    Program("teams", "timed", "x", (X, None, N)),
)
