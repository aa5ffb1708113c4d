"""What is differentiated in warps.cu."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import Make, real, single, zeros

X64, Y64 = real(64), zeros(64)


def keys(n: int, below: int) -> Make:
    return lambda rng: rng.integers(0, below, n).astype(np.int32)


_CASES = (
    Case("warps", "sum_per_warp", "x, y", (real(70), zeros(3), 70), 1, 96),
    Case("warps", "dot_with_stride", "x, w, total", (real(150), real(150), zeros(1), 150)),
    Case("warps", "normalised", "x, y", (single(N), zeros(N, "f4"), N)),
    Case("warps", "softmax_rows", "x, y", (real(3 * 40), zeros(3 * 40), 3, 40), 2, 64),
    Case("warps", "scanned", "x, y", (X64, Y64, 8)),
    Case("warps", "broadcast_first", "x, y", (X64, Y64)),
    Case("warps", "stencil", "x, y", (X64, Y64, 2)),
    Case("warps", "segments_of_eight", "x, y", (single(64), zeros(64, "f4"))),
    Case("warps", "gathered", "x, y", (X64, keys(32, 32), Y64)),
    Case("warps", "integers_too", "x, y", (X64, keys(64, 9), Y64)),
    Case("warps", "rounds", "x, y", (X, Y, N, 4)),
    Case("warps", "nested_rounds", "x, y", (X64, Y64, 3)),
    Case("warps", "tail_has_left", "x, y", (X, Y, N)),
    Case("warps", "mask_by_ballot", "x, y, scale", (X, Y, 0.8, N)),
    Case("warps", "mask_by_ballot", "x, y", (X, Y, 0.8, N), 2, 33, label="part_of_a_warp"),
    Case("warps", "two_ways", "x, y", (X64, Y64)),
    Case("warps", "unequal_trips", "x, y", (X64, keys(64, 5), Y64)),
    Case("warps", "rest_has_returned", "x, y", (X64, keys(64, 5), Y64)),
    Case("warps", "until_all_agree", "x, y", (X64, Y64, 20)),
    Case("warps", "while_any_works", "x, y", (X64, Y64)),
    Case("warps", "compacted", "x, y", (X, Y, N)),
    Case("warps", "by_key", "x, y", (X64, keys(64, 4), Y64)),
    Case("warps", "reduced_integers", "x, y", (X64, keys(64, 9), Y64)),
    Case("warps", "best_of_warp", "x, y", (X64, Y64)),
    Case("warps", "chosen_values", "x, w, y", (X64, real(64), Y64)),
    Case("warps", "present", "x, y", (X64, Y64)),
    Case("warps", "first_warp", "x, y, z", (real(128), zeros(128), zeros(4)), 2, 64),
)

# In other launches lanes would read from lanes that are not there.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
