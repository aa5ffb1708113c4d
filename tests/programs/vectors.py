"""Host memory of the C++ library."""

import numpy as np

from tests.kernels.making import real
from tests.programs.case import Program

X = real(20, 0.1, 0.9)


def _edges(rng: np.random.Generator) -> np.ndarray:
    return np.sort(rng.uniform(0.1, 0.8, 6))


CASES = (
    Program("vectors", "with_vector", "in, rate", (X, 2.8, 20)),
    Program("vectors", "accumulated", "in, rate", (X, 2.8, 20, 3)),
    Program("vectors", "with_array", "in, rate", (real(6, 0.3, 0.9), 2.8)),
    Program("vectors", "with_new", "in, rate", (X, 2.8, 20)),
    Program("vectors", "grown", "in, rate", (X, 2.8)),
    Program("vectors", "searched", "heights, in", (real(7), _edges, X, 20)),
)
