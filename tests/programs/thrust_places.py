"""Algorithms of Thrust that move elements."""

import numpy as np

from tests.kernels.making import real
from tests.programs.case import Program

_MAP = np.array([5, 2, 7, 0, 11, 3, 8, 1, 10, 4, 9, 6, 16, 12, 15, 13, 14, 18, 17, 19, 20], dtype=np.int32)
_KEYS = np.array([0, 0, 0, 3, 3, 1, 4, 4, 4, 4, 2, 0, 0, 5, 5, 5, 5, 5, 1, 2, 2], dtype=np.int32)

CASES = (
    Program("thrust_places", "by_maps", "x, a", (real(21), _MAP, 0.7, 21)),
    Program("thrust_places", "by_conditions", "x, a", (real(21), 0.7, 21)),
    Program("thrust_places", "by_places", "x, a", (real(21), 0.7, 21)),
    Program("thrust_places", "by_keys", "x, a", (real(21), _KEYS, 0.7, 21)),
    Program("thrust_places", "in_order", "x, a", (real(21), 0.7, 21)),
    Program("thrust_places", "as_sets", "x, a", (real(21), 0.7, 21)),
    Program("thrust_places", "as_sets_of_keys", "x", (real(21), _KEYS, 21)),
    Program("thrust_places", "on_the_host", "x, a", (real(21), _KEYS, 0.7, 21)),
)
