"""Objects that own memory of the device."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

X = real(20)
CASES = (
    Program("owned", "with_buffers", "in, a", (X, 0.8, 20)),
    Program("owned", "buffers_that_swap", "out, in, a", (zeros(20), X, 0.8, 20, 3)),
    Program("owned", "buffers_that_swap", "out, in, a", (zeros(20), X, 0.8, 20, 9), label="returns"),
    Program("owned", "simulate", "start, rate", (X, 0.4, 20, 3)),
)
