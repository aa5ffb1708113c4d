"""What is differentiated in halving.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = (
    Case("halving", "halved", "x, y", (X, Y, N, 37)),
    Case("halving", "halved", "x, y", (X, Y, N, 0), label="not_at_all"),
    Case("halving", "halved_by_block", "x, y", (X, Y, N)),
    Case("halving", "doubled", "x, y", (X, Y, N, 21)),
    Case("halving", "left_early", "x, y", (X, Y, N, 50)),
    Case("halving", "beside", "x, y", (X, Y, N, 37)),
    Case("halving", "butterflies", "x, y", (X, Y, N)),
)
