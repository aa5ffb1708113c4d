"""What is differentiated in memory.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import indices, permutation, real, single, zeros

CASES = (
    *(
        Case("memory", name, "x, y", (X, Y, N))
        for name in (
            "local_array",
            "local_matrix",
            "overwritten_array",
            "walking_pointer",
            "pointers_compared",
            "pointer_to_local",
            "references",
            "overwrites_with_constant",
            "integer_array",
            "insertion_sort",
        )
    ),
    Case("memory", "pointer_stores", "x, y", (X, zeros(3 * N), N)),
    Case("memory", "in_place", "x", (X, N)),
    Case("memory", "in_place_until", "x", (X, N, 9)),
    Case("memory", "in_place_while", "x, y", (X, single(N), indices(N, 3), N)),
    Case("memory", "in_place_loop", "x", (X, N, 7)),
    Case("memory", "read_after_write", "x, y, z", (X, Y, X, N)),
    Case("memory", "own_rows", "a", (real(12 * 6), 12, 6)),
    Case("memory", "swap_rows", "x, y", (X, X, N)),
    Case("memory", "gather", "x, y", (X, indices(N, N), Y, N)),
    Case("memory", "scatter_own", "x, y", (X, Y, permutation(N), N)),
)
