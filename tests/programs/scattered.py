"""Threads that meet, where contributions to adjoints are atomic or summed in a fixed order."""

import numpy as np

from tests.kernels.making import pairs, real
from tests.programs.case import Program

AT = np.arange(40, dtype=np.int32) % 7
CASES = (
    Program("scattered", "in_turns", "in, rate", (real(40), AT, 0.7, 40, 3)),
    Program("scattered", "of_pairs", "out, in", (pairs(40), pairs(40), AT, 40)),
)
