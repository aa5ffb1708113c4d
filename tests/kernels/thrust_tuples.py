"""What is differentiated in thrust_tuples.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (Case("thrust_tuples", "tuples", "x, y, by", (real(30), zeros(30), 0.7, 30), 1, 32, one_launch=True),)
