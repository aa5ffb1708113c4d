"""CUB in a kernel, in a file that includes Thrust for its host code."""

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (Case("cub_beside_thrust", "norms", "x, out", (real(300), zeros(2), 150), grid=2, block=64, one_launch=True),)
