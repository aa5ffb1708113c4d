"""What is differentiated in warps_in_blocks.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    Case("warps_in_blocks", "sum_of_block", "x, y", (real(180), zeros(2), 180), 2, 96),
    Case("warps_in_blocks", "layer_norm", "x, gain, bias, y", (real(140), real(70), real(70), zeros(140), 70), 2, 64),
    Case("warps_in_blocks", "tail_and_barriers", "x, y", (real(120), zeros(120), 120), 2, 64),
    Case("warps_in_blocks", "tile_of_a_warp", "x, y", (real(128), zeros(128), 3), 2, 64),
    Case("warps_in_blocks", "tree_of_a_warp", "x, y", (real(120), zeros(120), 120), 2, 64),
    Case("warps_in_blocks", "some_of_a_warp", "x, y", (real(120), zeros(120), 120), 2, 64),
    Case("warps_in_blocks", "through_global_memory", "x, y", (real(64), zeros(64)), 2, 32),
    Case("warps_in_blocks", "overwritten_by_another_lane", "x, y", (real(128), zeros(128)), 2, 64),
    Case("warps_in_blocks", "added_to_by_another_lane", "x, y", (real(128), zeros(128)), 2, 64),
    Case("warps_in_blocks", "overwritten_in_turn", "x, y", (real(128), zeros(128), 3), 2, 64),
    Case("warps_in_blocks", "read_by_a_call", "x, squares, y", (real(128), zeros(128), zeros(128)), 2, 64),
)
