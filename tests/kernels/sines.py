"""What is differentiated in sines.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import real, single, zeros

X = real(N, -2.0, 2.0)

CASES = (
    Case("sines", "waves", "x, y", (X, zeros(N), N)),
    Case("sines", "waves_float", "x, y", (single(N, -2.0, 2.0), zeros(N, "f4"), N)),
    Case("sines", "now_and_then", "x, y", (X, zeros(N), N)),
    Case("sines", "turned", "x, y", (X, zeros(N), N, 5)),
    Case("sines", "decided", "x, y", (X, zeros(N), N)),
    Case("sines", "rotated", "angle, x, y", (X, real(N), zeros(N), N)),
    Case("sines", "looked_up", "x, y", (X, zeros(N), N)),
    Case("sines", "in_a_function", "x, y", (X, zeros(N), N)),
)
