"""What is differentiated in named.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real

CASES = (
    Case("named", "kernel", "_grid, _block, _stream", (Y, X, 0.7, N)),
    Case("named", "in_a_workspace", "_tape, _physical", (Y, real(N, 0.1, 0.6), N, 7)),
    Case("named", "second", "y, x, _d_x, _d_y, a, _d_a", (Y, X, real(N), Y, 0.7, 1.3, N)),
    Case("named", "hiding", "y, cladpy, std", (Y, X, 0.7, N, 2)),
    Case("named", "unnamed_entries", "y, x, a", (Y, X, 0.7, N)),
)
