"""What is differentiated in warp_rows.cu. Launches are of whole warps, and of others, where lanes of two blocks meet at
a row."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros

ROWS, COLS = 5, 70
SINGLE = (zeros(ROWS, "f4"), single(ROWS * COLS), ROWS, COLS)
DOUBLE = (zeros(ROWS), real(ROWS * COLS), ROWS, COLS)

CASES = (
    Case("warp_rows", "of_block", "out, x", SINGLE, 3, 64),
    Case("warp_rows", "of_block", "out, x", SINGLE, 2, 96, "odd_warps"),
    Case("warp_rows", "numbered", "out, x", DOUBLE, 3, 64),
    Case("warp_rows", "numbered", "out, x", DOUBLE, 4, 48, "shared_warps"),
    Case("warp_rows", "grouped", "out, x", SINGLE, 3, 64),
    Case("warp_rows", "grouped", "out, x", SINGLE, 2, (16, 2, 4), "space"),
    Case("warp_rows", "by_fours", "out, x", (zeros(3, "f4"), single(3 * 140), 3, 140), 2, 64),
    Case("warp_rows", "along_y", "out, x", DOUBLE, 3, (8, 2)),
    Case("warp_rows", "along_y", "out, x", DOUBLE, 3, (12, 2), "wide"),
    Case("warp_rows", "by_parts", "out, x", (zeros(9), real(9 * 12), 9), 3, 32),
    Case("warp_rows", "by_parts", "out, x", (zeros(9), real(9 * 12), 9), 4, 20, "shared_parts"),
    Case("warp_rows", "overlapping", "out, x", DOUBLE, 3, 64),
    Case("warp_rows", "online", "out, x", DOUBLE, 3, 64),
    Case("warp_rows", "online", "out, x", DOUBLE, 4, 48, "shared_warps"),
    Case("warp_rows", "wandering", "out, x", DOUBLE, 3, 64),
    Case("warp_rows", "wandering", "out, x", DOUBLE, 4, 48, "shared_warps"),
    Case("warp_rows", "stored_by_all", "out, x", DOUBLE, 3, 64),
    Case("warp_rows", "stored_by_parts", "out, x", (zeros(8), real(8 * 8), 8), 2, 32),
    Case("warp_rows", "below_zero", "out, x", (zeros(3), real(3 * 4 + 4), 3, -7), 3, 2),
)
