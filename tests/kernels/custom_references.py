"""What is differentiated in custom_references.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real

CASES = (
    *(Case("custom_references", name, "x, y", (X, Y, N), 1, 64) for name in ("chained", "given_back", "in_memory")),
    Case("custom_references", "as_others", "x, y", (X, real(2 * N), N), 1, 64),
)
