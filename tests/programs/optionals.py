"""Values that may be missing, and what holds constants through loops."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

CASES = (
    Program("optionals", "by_optional", "x, y, a", (real(8), zeros(16), 1.3, 8)),
    Program("optionals", "by_optional", "x, y, a", (real(8), zeros(16), 0.8, 8), label="nothing"),
    Program("optionals", "in_loops", "x, a", (real(8), 0.2, 8, 4)),
)
