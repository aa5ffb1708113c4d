"""Host functions that call others which launch."""

from tests.kernels.making import real
from tests.programs.case import Program

X = real(24)
CASES = (
    Program("calls", "energy", "x, y, a", (X, X, 0.6, 24)),
    Program("calls", "energy", "a", (X, X, 0.6, 24), label="a"),
    Program("calls", "blocks_of", "y, x, weights", (X, X, real(4), 24, 4)),
    Program("calls", "recursive", "y, x, a", (X, X, 0.6, 24)),
    Program("calls", "with_effects", "x, a", (X, 0.6, 24)),
    Program("calls", "mean_square", "x", (X, 24, 3)),
)
