"""What is differentiated in halves.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import bfloat, half, members, real, single, zeros

X, Y = half(N), zeros(N, "f2")

CASES = (
    Case("halves", "half_operators", "x, y, a", (X, half(N), 0.75, N)),
    Case("halves", "half_functions", "x, y", (X, Y, N)),
    Case("halves", "half_conversions", "x, z, h, y", (single(N), real(N), Y, zeros(N, "f4"), N)),
    Case("halves", "sum_in_float", "x, w, y", (X, half(1), zeros(N, "f4"), N)),
    Case("halves", "sum_in_half", "x, y", (X, Y, N)),
    Case("halves", "local_halves", "x, y", (X, Y, N)),
    Case("halves", "half_calls", "x, y", (X, Y, N)),
    Case("halves", "half_recursion", "x, y", (X, Y, N)),
    Case("halves", "pointers_to_halves", "rows", (members(x=X, y=Y), N)),
    Case("halves", "bfloat_operators", "x, y, f, a", (bfloat(N), bfloat(N), zeros(N, "f4"), 0.75, N)),
    Case("halves", "bits_of_halves", "x, z, y", (half(N, -1.0, 1.0), bfloat(N), zeros(N, "f4"), N)),
    Case("halves", "layer<__half>", "x, gain, y", (half(4 * N), half(4), zeros(4 * N, "f2"), N)),
    Case("halves", "layer<__nv_bfloat16>", "x, gain, y", (bfloat(4 * N), bfloat(4), bfloat(4 * N), N)),
)
