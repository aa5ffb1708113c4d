"""What is differentiated in powers.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real

CASES = (
    Case("powers", "powers", "x, w, y", (X, real(N), Y, N)),
    Case("powers", "some_powers", "x, y", (X, real(N), Y, N)),
    Case("powers", "in_loops", "x, w, y", (X, real(9), Y, 9, N)),
)
