"""Launches of kernels of every kind."""

from tests.kernels.making import real, single, zeros
from tests.programs.case import Program

X = real(26)
CASES = (
    Program("kinds", "of_doubles", "out, in, factor", (zeros(26), X, 0.8, 26)),
    Program("kinds", "of_floats", "out, in, factor", (zeros(26, "f4"), single(26), 0.8, 26)),
    Program("kinds", "roughness", "in, spacing", (X, 0.5, 26)),
    Program("kinds", "by_symbols", "out, in, c", (zeros(26), X, real(4), 26)),
    Program("kinds", "parts_of_symbols", "in", (real(6), 6)),
    Program("kinds", "outer_product", "out, a, b", (real(35), real(5), real(7), 5, 7, 4)),
    Program("kinds", "functors", "x, beta", (X, 1.3, 26)),
)
