"""Objects with pointers, and with arrays and objects beside them."""

import numpy as np

from tests.kernels.making import real
from tests.programs.case import Program

SHIFT = np.array((0.3, -0.2), dtype=[("x", "f8"), ("y", "f8")])[()]
CASES = (
    Program("views", "advanced", "a, factors, shift, dt", (real(20), real(4), SHIFT, 0.1, 20, 3)),
    Program("views", "advanced", "a, factors, shift, dt", (real(20), real(4), SHIFT, 0.1, 20, 1), label="one_step"),
)
