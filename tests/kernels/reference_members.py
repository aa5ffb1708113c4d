"""What is differentiated in reference_members.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real

CASES = (
    Case("reference_members", "chained", "x, y, w", (X, real(N), real(1), N)),
    Case("reference_members", "nested", "x, y", (X, Y, N)),
    Case("reference_members", "chosen", "x, y, z", (X, Y, Y, N)),
)
