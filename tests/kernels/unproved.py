"""What is differentiated in unproved.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import indices, real, zeros

CASES = (
    Case("unproved", "chosen", "a, b, c, y", (real(90), real(64), real(90), zeros(64), 120, 7)),
    Case("unproved", "anywhere", "x, z, y", (real(80), real(80), indices(16, 80), zeros(80), 16, 5), (1, 5)),
    Case("unproved", "large_factors", "x, y", (real(60), zeros(60), 60, 0)),
    Case("unproved", "flipping", "x, y", (real(130), zeros(64), 5), one_launch=True),
    Case("unproved", "within_two_branches", "x, y", (real(128), zeros(128), 40), 2, 64, one_launch=True),
    Case("unproved", "tests_of_several", "x, w, y", (real(64), real(64), zeros(64), 12), one_launch=True),
    Case("unproved", "stored_in_inner_loop", "x, y", (real(64), zeros(64), 3), one_launch=True),
    Case("unproved", "of_other_blocks", "x, y", (real(60), zeros(60), 20), 3, 16, one_launch=True),
    Case("unproved", "tile_of_both", "x, y", (real(64), zeros(64), 3), one_launch=True),
)
