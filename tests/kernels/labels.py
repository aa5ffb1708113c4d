"""What is differentiated in labels.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = tuple(
    Case("labels", name, "x, y", (X, Y, N)) for name in ("in_branches", "unrolled", "in_loops", "by_constants")
)
