"""Lambdas that algorithms of Thrust are given."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (Program("thrust_lambdas", "algorithms", "x, a", (real(40), 0.7, 40)),)
