"""Host functions that launch, and call themselves."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (
    Program("recursions", "reduce", "x", (real(21), 21)),
    Program("recursions", "multigrid", "u, f, omega", (real(32), real(32), 0.2, 32, 2)),
    Program("recursions", "twice", "x, a", (real(16), 0.2, 16)),
)
