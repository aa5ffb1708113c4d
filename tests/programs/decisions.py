"""Loops and branches that depend on what was computed."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

CASES = (
    Program("decisions", "solve", "x, b", (zeros(20), real(20), 20, 1e-3)),
    Program("decisions", "solve", "x, b", (real(20), real(20), 20, 1e-6), label="longer"),
    Program("decisions", "adaptive", "in, factor", (real(8), 1.6, 8, 9)),
    Program("decisions", "adaptive", "in", (real(8, 0.5, 0.8), 1.3, 8, 5), label="shorter"),
    Program("decisions", "careful", "in", (real(16), 16)),
    Program("decisions", "root", "a", (real(10), 10)),
    *(Program("decisions", "by_mode", "in, factor", (real(6), 0.8, 6, m), label=f"mode{m}") for m in (0, 1, 2, 3)),
)
