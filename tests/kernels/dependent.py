"""What is differentiated in dependent.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = (
    Case("dependent", "members<3>", "x, y", (X, Y, N)),
    Case("dependent", "casts<3>", "x, y", (X, Y, N)),
    Case("dependent", "member_templates", "x, y", (X, Y, N)),
)
