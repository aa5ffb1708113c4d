"""What is differentiated in void_pointers.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import Make, indices, members, real, single, zeros

_FILE = "void_pointers"
_READING = np.dtype([("value", "f8"), ("weight", "f8", 2), ("count", "i4")], align=True)


def _readings(n: int) -> Make:
    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, _READING)
        made["value"], made["weight"] = rng.uniform(0.3, 1.2, n), rng.uniform(0.3, 1.2, (n, 2))
        made["count"] = rng.integers(1, 4, n)
        return made

    return make


_HOLDER = members(unused=None, x=real(40))

CASES = (
    Case(_FILE, "numbers", "x, y", (single(40), zeros(40), 40), 2, 32),
    Case(_FILE, "with_an_offset", "buffer, y", (single(48), None, zeros(40), 40, 8), 2, 32),
    Case(_FILE, "objects", "readings, y", (_readings(40), zeros(40), 40), 2, 32),
    Case(_FILE, "vectors", "x, y", (single(160), zeros(80, "f4"), 40), 2, 32),
    Case(_FILE, "chosen", "x, z, y", (real(40), real(40), zeros(40), 40), 2, 32),
    Case(_FILE, "by_steps", "x, y", (real(41), zeros(40), 40), 2, 32),
    Case(_FILE, "left_alone", "x, y", (real(40), zeros(40), None, indices(40, 40), _HOLDER, 40), 2, 32),
)
