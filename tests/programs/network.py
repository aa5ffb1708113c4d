"""Networks of one kernel for each operation."""

from tests.kernels.making import indices, real
from tests.programs.case import Program

WEIGHTS = (real(15, -0.8, 0.8), real(5, -0.2, 0.2), real(15, -0.8, 0.8), real(3, -0.2, 0.2))
CASES = (
    Program("network", "mlp_loss", "x, w1, b1, w2, b2", (real(12, -1, 1), *WEIGHTS, indices(4, 3), 4, 3, 5, 3)),
    Program("network", "mlp_loss", "w1", (real(12, -1, 1), *WEIGHTS, indices(4, 3), 4, 3, 5, 3), label="w1"),
    Program("network", "recurrent", "xs, w, u", (real(15, -1, 1), real(9, -1, 1), real(9, -1, 1), 3, 5)),
)
