"""What is differentiated in tables.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, shaped, single, zeros

CASES = (
    Case("tables", "gauss_legendre", "a, b, y", (real(N, -1, 0), X, Y, N)),
    Case("tables", "table_rows", "x, y", (X, Y, N)),
    Case("tables", "chosen_table", "x, y", (X, Y, N)),
    Case("tables", "static_constants", "x, y", (X, Y, N)),
    Case("tables", "counted", "x, y", (X, Y, N)),
    Case("tables", "rows_of_three", "m, w, y", (real(60), real(60), zeros(20), 20), 1),
    Case("tables", "blocks_of_four", "m, f, y", (real(80), single(40), zeros(20), 20), 1),
    Case("tables", "blocks_of_four", "m, f", (shaped(20, 2, 2), single(40), zeros(20), 20), 1, label="shaped"),
    Case("tables", "fixed_sizes", "a, b", (real(3), real(4)), None, None),
    Case("tables", "static_numbers<3>", "x, y", (real(60), zeros(60), 60)),
)
