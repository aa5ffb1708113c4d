"""What is differentiated in casts.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import indices, single, zeros

CASES = (
    Case("casts", "float_in_double", "a, b, y", (single(N), X, Y, N)),
    Case("casts", "float_only", "a, b, y", (single(N), single(N), zeros(N, "f4"), N)),
    Case("casts", "double_literals_in_float", "a, y", (single(N), zeros(N, "f4"), N)),
    Case("casts", "integers_in_double", "a, y", (X, indices(N, 9), Y, N)),
    Case("casts", "truncation", "a, y", (X, Y, N)),
    Case("casts", "explicit_casts", "a, y", (X, zeros(N, "f4"), N)),
    Case("casts", "compound_mixed", "a, y", (X, zeros(N, "f4"), N)),
    Case("casts", "narrow_integers", "a, y", (X, Y, N)),
    Case("casts", "bool_conversions", "a, y", (X, Y, N)),
    Case("casts", "exponents", "x, z, y", (single(N), X, zeros(N, "f4"), N)),
    Case("casts", "logarithms", "x, y", (single(N), zeros(N, "f4"), N)),
    Case("casts", "mixed_ternary", "a, b, y", (single(N), X, Y, N)),
)
