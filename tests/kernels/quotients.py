"""What is differentiated in quotients.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import real, single, zeros

A, Y = real(N), zeros(N)

CASES = (
    Case("quotients", "logarithms", "a, b, y", (A, A, Y, N)),
    Case("quotients", "logarithms_float", "a, b, y", (single(N), single(N), zeros(N, "f4"), N)),
    Case("quotients", "of_itself", "a, y", (A, Y, N)),
    Case("quotients", "unused_quotients", "a, b, y", (A, A, Y, N)),
    Case("quotients", "by_constants", "a, y", (A, Y, N)),
    Case("quotients", "roots", "a, y", (A, Y, N)),
)
