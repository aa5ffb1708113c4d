"""What is differentiated in thrust_random.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (Case("thrust_random", "sampled", "x, y", (real(30), zeros(30), 17, 30), 1, 32),)
