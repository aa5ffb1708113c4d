"""What is differentiated in nothing_left.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real

CASES = (
    Case("nothing_left", "to_itself", "y", (real(N), N)),
    Case("nothing_left", "to_itself_beside", "x, y, z", (X, real(N), Y, N)),
    Case("nothing_left", "to_itself_again", "x, y", (X, real(N), N)),
)
