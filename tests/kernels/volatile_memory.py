"""What is differentiated in volatile_memory.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, shaped, zeros

ALL = real(64)

CASES = (
    Case("volatile_memory", "by_the_block", "x, y", (ALL, zeros(2)), one_launch=True),
    Case("volatile_memory", "by_the_warp", "x, y", (ALL, zeros(2)), one_launch=True),
    # few terms: how much rounding may do grows with the power of their number
    Case("volatile_memory", "compensated", "x, y", (real(6), zeros(6), 6)),
    Case("volatile_memory", "in_other_words", "x, y", (ALL, zeros(64), 3), one_launch=True),
    Case("volatile_memory", "planes", "p, x", (real(120), real(120), 60)),
    Case("volatile_memory", "volatile_objects", "x, y", (shaped(40, 2), shaped(40, 2), 40)),
    Case("volatile_memory", "in_two_branches", "x, sums", (ALL, ALL, 24), grid=1, block=64, one_launch=True),
    Case("volatile_memory", "in_two_branches_of_blocks", "x, sums", (ALL, ALL, 50)),
)
