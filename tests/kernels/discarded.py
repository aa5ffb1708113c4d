"""What is differentiated in discarded.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, zeros


def gapped(rng: np.random.Generator) -> Any:
    """Zeros, each behind a number below zero."""
    found = rng.uniform(0.2, 1.2, 32)
    found[::8], found[1::8] = -0.5, 0.0
    return found


CASES = (
    Case("discarded", "replaced", "x, y", (X, Y, N)),
    Case("discarded", "chosen", "x, y", (X, Y, N)),
    Case("discarded", "stored_over", "x, y", (X, Y, N)),
    Case("discarded", "last_one", "x, y", (X, Y, N)),
    Case("discarded", "others", "x, y", (real(12), zeros(12), 12), 1, 16, one_launch=True),
    Case("discarded", "in_shared_memory", "x, y", (X, Y, N), one_launch=True),
    Case("discarded", "planes", "x, y", (X, zeros(6 * N), N)),
    Case("discarded", "planes_on_each_other", "x, y", (X, Y, 0, N)),
    Case(
        "discarded", "infinite_by_a_call", "x, t, z, y", (gapped, zeros(32), real(8), zeros(8)), 2, 4, one_launch=True
    ),
)
