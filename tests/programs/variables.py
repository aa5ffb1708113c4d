"""Variables of the device's in host programs."""

from tests.kernels.making import real
from tests.programs.case import Program

X, W = real(40), real(3)
CASES = (
    Program("variables", "sums", "x", (X, 40, 3)),
    Program("variables", "filter", "out, x, w, scale", (real(40), X, W, 0.7, 40)),
    Program("variables", "evolve", "x, w, growth, loss", (X, W, 0.3, 0.1, 40, 4)),
    Program("variables", "tables", "x", (real(32), 32)),
    Program("variables", "weighted", "x, weights", (X, 40), variables={"weights": real(3), "shift": 1}),
    Program("variables", "echoed", "x", (real(6), 6)),
)
