"""What is differentiated in sides.cu."""

from tests.kernels.case import Case, N
from tests.kernels.making import real, zeros

CASES = (
    Case("sides", "by_choices", "x, y", (real(N, -1.0, 1.0), zeros(N), N)),
    Case("sides", "by_functions", "x, y", (real(N, -1.0, 1.0), zeros(N), N)),
    Case("sides", "chosen_again", "x, w, y", (real(N, -1.0, 1.0), real(N, -1.0, 1.0), zeros(N), N)),
)
