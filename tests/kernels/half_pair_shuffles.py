"""What is differentiated in half_pair_shuffles.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import bfloat, half, zeros

CASES = (
    Case("half_pair_shuffles", "pairs_summed<__half2>", "x, y", (half(128), zeros(128, "f2")), one_launch=True),
    Case("half_pair_shuffles", "pairs_summed<__nv_bfloat162>", "x, y", (bfloat(128), bfloat(128)), one_launch=True),
)
