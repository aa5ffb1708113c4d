"""Reductions and scans of CUB in a block and in a warp."""

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    Case("cub_blocks", "norms", "x, out", (real(300), zeros(2), 150), grid=2, block=64, one_launch=True),
    Case("cub_blocks", "lengths", "x, out", (real(80), zeros(4), 80), grid=2, block=48, one_launch=True),
    Case("cub_blocks", "scanned", "x, out, totals", (real(96), zeros(96), zeros(2)), grid=2, block=48, one_launch=True),
    Case("cub_blocks", "in_warps", "x, out", (real(128), zeros(4)), grid=2, block=64, one_launch=True),
)
