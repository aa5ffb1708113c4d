"""What is differentiated in mixed.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single, zeros

CASES = (
    Case("mixed", "statement_macros", "x, y", (X, Y, N)),
    Case("mixed", "commas_and_chosen_places", "x, y", (X, Y, N)),
    Case("mixed", "narrow_indices", "x, f, y", (X, single(N), Y, N, 7, 3)),
    Case("mixed", "calls_in_conditions", "x, y", (X, Y, N)),
    Case("mixed", "sweeps", "a, y", (real(100), zeros(20), 20, 5), 1),
    Case("mixed", "matrix_row_by_row", "x, y", (X, Y, N)),
    Case(
        "mixed",
        "unguarded_plane",
        "x, even, odd, scale, shift",
        (real(48), zeros(48), zeros(48, "f4"), 1.3, 0.4, 3),
        (2, 3),
        (4, 2),
    ),
)
