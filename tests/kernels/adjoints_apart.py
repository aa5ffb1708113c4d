"""What is differentiated in adjoints_apart.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import indices, real, vectors, zeros

X, Y = real(N), zeros(N)

CASES = (
    Case("adjoints_apart", "three", "a, b, c, y", (X, X, X, Y, N)),
    Case("adjoints_apart", "twice", "a, b, y", (real(2 * N), X, Y, N)),
    Case("adjoints_apart", "members", "p, b, y", (vectors(N), X, Y, N)),
    Case("adjoints_apart", "in_place", "a, b, c", (X, X, X, N)),
    Case("adjoints_apart", "branched", "a, b, c, y", (X, X, X, Y, N)),
    Case("adjoints_apart", "in_loops", "a, b, y", (real(4 * N), real(4 * N), Y, 4, N)),
    Case("adjoints_apart", "read_late", "a, b, y", (X, X, indices(N, N), Y, N)),
)
