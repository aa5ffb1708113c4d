"""What is differentiated in enums.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import Make, chars, members


def shapes(n: int) -> Make:
    """An array of `Shape`s of enums.cu."""

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, np.dtype([("side", "i4"), ("width", "f8")], align=True))
        made["side"] = rng.integers(0, 2, n)
        made["width"] = rng.uniform(0.2, 1.2, n)
        return made

    return make


def lamps(n: int) -> Make:
    """An array of `Lamp`s of enums.cu."""

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, np.dtype([("colour", "i4"), ("kind", "u1"), ("power", "f8")], align=True))
        made["colour"] = rng.integers(0, 2, n)
        made["power"] = rng.uniform(0.2, 1.2, n)
        return made

    return make


CASES = (
    Case("enums", "modes", "x, y", (X, Y, 5, 1, N)),
    Case("enums", "kinds_in_memory", "x, y", (X, Y, chars(3, 3), chars(N, 3), N)),
    Case("enums", "sides", "all, one, y", (shapes(N), members(side=1, width=0.7), Y, N)),
    Case("enums", "kinds_in_globals", "x, y", (X, Y, N)),
    Case("enums", "hidden_kinds", "x, lamps, y", (X, lamps(N), Y, N)),
)
