"""What is differentiated in spellings.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import members, real, single, zeros

SPACE = 3 * 2 * 2 * 4 * 2 * 2

CASES = (
    Case("spellings", "constant_in_grid", "s, x, y", (members(a=1.5, b=0.5), X, Y, N)),
    Case("spellings", "without_a_number", "x, y", (X, Y, N)),
    Case("spellings", "unrolled<64>", "x, y", (X, Y, N)),
    Case("spellings", "rows_of_vectors", "x, y", (single(16 * 8), zeros(16 * 8, "f4"), 16, 8)),
    Case("spellings", "vectors_everywhere", "x, y", (single(256), zeros(256, "f4")), one_launch=True),
    Case("spellings", "tiles_in_turn", "x, y", (X, Y, N)),
    Case(
        "spellings", "in_three_dimensions", "x, y", (real(SPACE), zeros(SPACE)), (3, 2, 2), (4, 2, 2), one_launch=True
    ),
)
