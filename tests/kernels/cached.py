"""What is differentiated in cached.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import blank, indices, shaped, single, single_rows, zeros

FLOATS = zeros(N, "f4")
CASES = (
    Case("cached", "cached_numbers", "x, f, y, z", (X, single(N), indices(N, N), Y, FLOATS, N)),
    Case(
        "cached",
        "cached_vectors",
        "x, s, y, z",
        (single_rows(N, 4), single_rows(N, 2), blank(N, 4, dtype="f4"), blank(N, 2, dtype="f4"), N),
    ),
    Case("cached", "stored_in_between", "x, w, y", (X, X, Y, N)),
    Case("cached", "whole_words", "x, y", (X, zeros(1, "u8"), zeros(N, "i4"), Y, N)),
    Case("cached", "advised", "x, y", (X, Y, N)),
    Case("cached", "complex_numbers", "a, b, c, y", (shaped(N, 2), shaped(N, 2), blank(N, 2), Y, N)),
    Case(
        "cached", "complex_floats", "a, c, d, y", (single_rows(N, 2), blank(N, 2, dtype="f4"), blank(N, 2), FLOATS, N)
    ),
)
