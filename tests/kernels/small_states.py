"""What is differentiated in small_states.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single, zeros

CASES = (
    Case("small_states", "logistic", "x, out", (X, Y, 25, N)),
    Case("small_states", "logistic", "x, out", (X, Y, 0, N), label="no_step"),
    Case("small_states", "oscillator", "x, k, out", (X, X, Y, 30, N)),
    Case("small_states", "oscillator", "x, out", (X, X, Y, 30, N), label="state_only"),
    Case("small_states", "twins", "x, out", (single(N), zeros(N, "f4"), 12, N)),
    Case("small_states", "newton", "x, out", (X, Y, Y, N)),
    Case("small_states", "nested", "x, p, out", (X, real(1), Y, 5, N)),
    Case("small_states", "inner", "x, w, out", (X, real(9), Y, 9, N)),
    Case("small_states", "chosen", "x, out", (X, Y, 7, N)),
    Case("small_states", "settled", "x, rate, out", (single(N), X, zeros(N, "f4"), 11, N)),
    Case("small_states", "powers", "x, out", (X, Y, 8, N)),
)
