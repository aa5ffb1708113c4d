"""What is differentiated in thrust_sequential.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    Case("thrust_sequential", "sequential", "x, y, z", (real(20), zeros(20), zeros(20), 5), 1, 4, one_launch=True),
)
