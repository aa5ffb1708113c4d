"""What is differentiated in groups.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import indices, real, single, single_rows, zeros

CASES = (
    Case("groups", "tile_sum", "x, y", (real(70), zeros(3), 70), 1, 96),
    Case("groups", "softmax_of_tile", "x, y", (single(64), zeros(64, "f4"))),
    Case("groups", "block_sum", "x, total", (real(150), zeros(1), 150), 1, 96),
    Case("groups", "scans", "x, y", (real(64), zeros(64))),
    Case("groups", "those_above", "x, y", (X, Y, N)),
    Case("groups", "by_label", "x, y", (real(64), indices(64, 4), zeros(64))),
    Case("groups", "vectors", "x, y", (single_rows(64, 4), single_rows(64, 4))),
    Case("groups", "tile_in_shared_memory", "x, y", (real(64), zeros(64)), 1, 64),
)
