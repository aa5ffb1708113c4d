"""What is differentiated in packs.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import half, indices, single, zeros


def flags(rng: np.random.Generator) -> np.ndarray:
    return rng.uniform(size=60) < 0.7


CASES = (
    Case("packs", "by_members", "x, y, z", (half(240), half(240), zeros(240, "f2"), 240)),
    Case("packs", "in_an_integer", "x, y, z", (half(120), half(120), zeros(120, "f2"), 120)),
    Case("packs", "bits_of_pairs", "x, z", (single(120), zeros(120, "f2"), 120)),
    Case("packs", "listed", "x, z", (single(120), zeros(120, "f2"), 120)),
    Case("packs", "array_of_words", "x, z", (half(240), zeros(240, "f2"), 240)),
    Case("packs", "members_of_a_class", "x, z", (half(240), zeros(240, "f2"), 240)),
    Case("packs", "one_member", "x, z", (half(240), zeros(240, "f2"), 240)),
    Case(
        "packs",
        "by_chosen_pointers",
        "x, y, z, a",
        (single(80), single(80), zeros(160, "f4"), 1.5, 80),
        one_launch=True,  # a list for each of two blocks
    ),
    Case(
        "packs",
        "divided_bytes",
        "x, table, y",
        (single(240), indices(60, 5), single(5), zeros(60, "f4"), 240),
        one_launch=True,
    ),
    Case("packs", "by_storage<1>", "x, y", (single(60), zeros(60, "f4"), 60)),
    Case("packs", "by_storage<4>", "x, y", (single(240), zeros(240, "f4"), 239)),
    Case("packs", "masked<1>", "x, y", (single(60), flags, zeros(60, "f4"), 60)),
    Case("packs", "masked<2>", "x, y", (single(60), flags, zeros(60, "f4"), 60)),
)
