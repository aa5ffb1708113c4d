"""Thrust: several ranges at once, and what chooses elements."""

import numpy as np

from tests.kernels.making import real
from tests.programs.case import Program

_KEYS = np.array([0, 0, 0, 3, 3, 1, 4, 4, 4, 4, 2, 0, 0, 5, 5, 5, 5, 5, 1, 2, 2], dtype=np.int32)

CASES = (
    Program("thrust_zipped", "zipped", "x, a", (real(21), 0.7, 21)),
    Program("thrust_zipped", "placed", "x, a", (real(21), 0.7, 21)),
    Program("thrust_zipped", "divided", "x, a", (real(21), _KEYS, 0.7, 21)),
)
