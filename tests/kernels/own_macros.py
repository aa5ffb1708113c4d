"""What is differentiated in own_macros.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real

CASES = (
    Case("own_macros", "square", "y, x", (Y, X)),
    Case("own_macros", "steps", "y, x, a", (Y, real(N, 0.1, 0.6), 0.8, N, 5)),
)
