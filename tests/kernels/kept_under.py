"""What is differentiated in kept_under.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import real

X, Y = real(N, 0.2, 0.9), real(N, 0.2, 0.9)

CASES = (
    Case("kept_under", "both_sides", "x, y, w", (X, Y, real(N), N, 7)),
    Case("kept_under", "both_sides", "x, y, w", (X, Y, real(N), N, 0), label="none"),
    Case("kept_under", "nested", "x, y", (X, Y, N, 6, 3)),
    Case("kept_under", "nested", "x, y", (X, Y, N, 6, 0), label="without_group"),
    Case("kept_under", "carried_flag", "x, y", (X, Y, N, 9)),
    Case("kept_under", "loop_in_branch", "x, y", (X, Y, N, 4)),
    Case("kept_under", "triangle", "x, out", (real(128, 0.2, 0.9), real(128), 5), 2, 64, one_launch=True),
    Case(
        "kept_under", "triangle", "x, out", (real(99, 0.2, 0.9), real(99), 40), 3, 33, label="ragged", one_launch=True
    ),
)
