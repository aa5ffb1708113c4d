"""Vectors of Thrust around kernels."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (
    Program("thrust_vectors", "by_raw_pointers", "x", (real(20), 20)),
    Program("thrust_vectors", "by_reductions", "x", (real(7), 7)),
    Program("thrust_vectors", "by_elements", "x", (real(7), 7)),
)
