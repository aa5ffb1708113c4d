"""Sorts of CUB."""

import numpy as np

from tests.kernels.making import real, single, zeros
from tests.programs.case import Program

_SHORTS = np.array([-5, 700, 3, 12, -32768, 9, 64, -1, 0, 31, 32767, 6], np.int16)

CASES = (
    Program("cub_sorting", "splats", "x, y", (single(37), zeros(3, "f4"), 37)),
    Program("cub_sorting", "depths", "x, w, from", (single(20), single(20), 0.7, 20)),
    Program("cub_sorting", "signs", "x, y", (real(12), lambda rng: _SHORTS.copy(), zeros(12, "i2"), zeros(24), 12)),
)
