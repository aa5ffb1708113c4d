"""What is differentiated in half_shuffles.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import bfloat, half, real, zeros

CASES = (
    Case("half_shuffles", "shuffled<__half>", "x, y", (half(64), zeros(64, "f2")), one_launch=True),
    Case("half_shuffles", "shuffled<__nv_bfloat16>", "x, y", (bfloat(64), bfloat(64)), one_launch=True),
    Case("half_shuffles", "circle", "x, y", (real(64), zeros(64), 5), one_launch=True),
    Case("half_shuffles", "half_sums", "x, y", (real(64), zeros(4)), one_launch=True),
)
