"""Scratch memory that is made once, and lasts from call to call."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

N = 16
X, Y = real(N), zeros(N)
CASES = (
    *(Program("scratch", f, "x, y", (X, Y, N)) for f in ("lazily", "statically", "growing", "by_function")),
    *(Program("scratch", f, "x", (X, N)) for f in ("on_host", "in_arrays", "renewed")),
)
