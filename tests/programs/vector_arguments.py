"""Arguments that are vectors of the C++ library: arrays stand for them."""

import numpy as np

from tests.kernels.making import real, shaped
from tests.programs.case import Program

CASES = (
    Program(
        "vector_arguments",
        "model::run",
        "x, y, a",
        (real(5), real(5), lambda _: np.array([1, 2, 3], np.int32), 0.3),
    ),
    Program("vector_arguments", "model::folded", "x", (real(4), 4)),
    Program("vector_arguments", "energy<double>", "particles, dt", (shaped(4, 2), 0.1, 3)),
)
