"""What launches are given."""

import numpy as np

from tests.kernels.making import real, zeros
from tests.programs.case import Program

CASES = (
    Program("given", "partly", "in", (real(40), 0.3, 40)),
    Program("given", "partly", "in, rate", (real(40), 0.3, 40), label="numbers"),
    Program("given", "twice", "out, in, rate", (zeros(40), real(40), 0.3, 40, 3)),
    Program("given", "read_twice", "out, in, other", (zeros(80), real(40), real(40), 40)),
    Program("given", "in_float", "in", (np.linspace(-1, 1.5, 40, dtype=np.float32), 40)),
)
