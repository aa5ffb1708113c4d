"""What is differentiated in rows.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, Y
from tests.kernels.making import Make, real, single, zeros

PLANE: tuple[tuple[int, ...], tuple[int, ...]] = ((2, 3, 2), (16, 4))


def table(*given: int) -> Make:
    return lambda rng: np.array(given, np.int32)


CASES = (
    Case("rows", "causal", "queries, keys, values, out", (*[single(300, -1.0, 1.0)] * 3, zeros(300, "f4"), 60)),
    Case(
        "rows",
        "causal",
        "queries, keys, values, out",
        (*[single(520, -1.0, 1.0)] * 3, zeros(520, "f4"), 104),
        3,
        40,
        label="ragged",
    ),
    Case("rows", "convolved", "in, w, out", (real(2 * 31 * 12), real(36), zeros(2 * 29 * 10), 2, 31, 12), *PLANE),
    Case("rows", "padded", "in, w, out", (real(N), real(5), Y, N)),
    Case("rows", "padded_unsigned", "in, w, out", (real(N), real(5), Y, N)),
    Case("rows", "elsewhere", "a, b, c, out", (real(9), real(4), real(10), table(3, 0, 3, 9), real(N), N)),
    Case("rows", "many", "w, x, y", (real(42), real(N), Y, N)),
    Case("rows", "many", "w, x, y", (real(42), real(130), zeros(130), 130), 5, 30, label="ragged"),
    Case("rows", "in_place", "x, w", (real(8), real(8), 8)),
    Case("rows", "leaving", "w, x, y", (real(8), real(N, 0.2, 2.0), Y, N)),
    Case("rows", "guarded_nest", "x, y", (real(N), Y, N, 4)),
    Case("rows", "guarded_nest", "x, y", (real(N), Y, N, 0), label="empty"),
    Case("rows", "largest_of_sums", "x, w, y", (real(N), real(6, -1.0, 1.0), Y, N)),
)
