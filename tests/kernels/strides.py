"""What is differentiated in strides.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros

CASES = (
    Case("strides", "past_zero", "x, y", (real(64), zeros(64), 4294967290, 4), one_launch=True),
    Case("strides", "past_zero_downwards", "x, y", (real(64), zeros(64), 3, 4294967290), one_launch=True),
    Case("strides", "narrow", "x, y", (real(64), zeros(64), 3), one_launch=True),
    Case("strides", "converted", "x, y", (real(64, -0.2, 0.2), zeros(64), 64, 3), one_launch=True),
    Case("strides", "by_blocks", "x, y", (single(40), zeros(128, "f4"), 40), one_launch=True),
)
