"""What is differentiated in shared_variables.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (Case("shared_variables", "through_functions", "x, y", (real(64), zeros(64)), 2, 32, one_launch=True),)
