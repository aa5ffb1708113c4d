"""What is differentiated in half_pairs.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N
from tests.kernels.making import bfloat, blank, half, half_rows, zeros

_CELL = np.dtype(
    {
        "names": ["mass", "at", "charge"],
        "formats": ["f2", np.dtype([("x", "f2"), ("y", "f2")]), "f4"],
        "offsets": [0, 4, 8],
        "itemsize": 12,
    }
)


def cells(rng: np.random.Generator) -> np.ndarray:
    made = np.zeros(N, _CELL)
    made["mass"], made["charge"] = rng.uniform(0.3, 1.2, (2, N))
    made["at"]["x"], made["at"]["y"] = rng.uniform(0.3, 1.2, (2, N))
    return made


def behind_members(rng: np.random.Generator) -> dict[str, object]:
    return {"x": X(rng), "pairs": PAIRS(rng), "y": Y(rng)}


X, Y = half(N), zeros(N, "f2")
PAIRS, NO_PAIRS = half_rows(N, 2), blank(N, 2, dtype="f2")

CASES = (
    Case("half_pairs", "half_pairs", "x, y, f", (PAIRS, NO_PAIRS, blank(N, 2, dtype="f4"), N)),
    Case("half_pairs", "pairs_of_numbers", "x, y", (X, Y, N)),
    Case("half_pairs", "half_atomics", "x, total", (X, zeros(3, "f2"), N)),
    Case("half_pairs", "half_scalar", "x, y, a, b", (X, Y, 0.75, (0.5, 1.25), N)),
    Case("half_pairs", "halves_in_classes", "cells, out", (cells, lambda rng: np.zeros(N, _CELL), N)),
    Case("half_pairs", "halves_behind_members", "v", (behind_members, N)),
    Case("half_pairs", "bfloat_pairs", "x, y", (bfloat(N, 2), bfloat(N, 2), N)),
    Case("half_pairs", "in_float4", "x, y", (half(8 * N), zeros(8 * N, "f2"), 8 * N)),
    Case("half_pairs", "masked_in_float4", "x, y", (half(8 * N), half(8 * N), zeros(8 * N, "f2"), 8 * N)),
    Case("half_pairs", "cached_halves", "x, y, p, q", (X, Y, PAIRS, NO_PAIRS, N)),
)
