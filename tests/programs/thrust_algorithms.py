"""Algorithms of Thrust."""

from tests.kernels.making import real, single
from tests.programs.case import Program

CASES = (
    Program("thrust_algorithms", "transforms", "x, y, a", (real(20), real(20), 0.7, 20)),
    Program("thrust_algorithms", "reductions", "x, a", (real(37), 0.7, 37)),
    Program("thrust_algorithms", "scans", "x, a", (real(37), 0.7, 37)),
    Program("thrust_algorithms", "by_number", "x, stiffness", (real(9), 0.7, 9, 3)),
    Program("thrust_algorithms", "by_iterators", "x, a", (real(20), 0.7, 20)),
    Program("thrust_algorithms", "single_precision", "x, a", (single(19), 0.7, 19)),
    Program("thrust_algorithms", "on_the_host", "x, a", (real(7), 0.7, 7)),
    Program("thrust_algorithms", "allocated", "x, a", (real(7), 0.7, 7)),
)
