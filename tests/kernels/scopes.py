"""What is differentiated in scopes.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real

CASES = (Case("scopes", "barriers_in_scopes", "x, y", (real(30), real(30), 30), 1, 32, one_launch=True),)
