"""Reductions and scans of CUB in a block and in a warp."""

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros

DIRECT = "cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_DIRECT, 32"
STRIPED = "cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED, 16"

CASES = (
    Case("cub_blocks", "norms", "x, out", (real(300), zeros(2), 150), grid=2, block=64, one_launch=True),
    Case("cub_blocks", "lengths", "x, out", (real(80), zeros(4), 80), grid=2, block=48, one_launch=True),
    Case("cub_blocks", "scanned", "x, out, totals", (real(96), zeros(96), zeros(2)), grid=2, block=48, one_launch=True),
    Case("cub_blocks", "in_warps", "x, out", (real(128), zeros(4)), grid=2, block=64, one_launch=True),
    Case(
        "cub_blocks",
        "recurrence",
        "a, b, out, totals",
        (real(96), real(96), zeros(96), zeros(2)),
        2,
        48,
        one_launch=True,
    ),
    Case("cub_blocks", "scanned_by_threes", "x, out, totals", (real(96), zeros(96), zeros(2)), 2, 16, one_launch=True),
    Case("cub_blocks", "scanned_by_warps<32>", "x, out", (real(128), zeros(128)), 2, 64, one_launch=True),
    Case("cub_blocks", "scanned_by_warps<8>", "x, out", (real(128), zeros(128)), 2, 64, one_launch=True),
    Case("cub_blocks", f"loaded<{DIRECT}>", "x, y", (real(170), zeros(170), 170), 2, 32, "direct", one_launch=True),
    Case("cub_blocks", f"loaded<{STRIPED}>", "x, y", (real(80), zeros(80), 80), 2, 16, "striped", one_launch=True),
    Case("cub_blocks", "differences", "x, out, edge", (real(96), zeros(96), 40, 0.7), 2, 16, one_launch=True),
    Case("cub_blocks", "exchanged", "x, out", (real(96), zeros(96)), 2, 16, one_launch=True),
    Case(
        "cub_blocks",
        "extremes",
        "x, out",
        (single(150), zeros(1, "f4"), np.zeros(2, "i4"), 150),
        1,
        64,
        one_launch=True,
    ),
)
