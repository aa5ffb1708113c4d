"""What is differentiated in recursive_writes.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import Make, real


def bodies(n: int) -> Make:
    """An array of `Body`s of recursive_writes.cu."""
    body = np.dtype([("mass", "f8"), ("place", "f8", 2)])

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, body)
        made.view("f8")[:] = rng.uniform(0.3, 1.2, 3 * n)
        return made

    return make


CASES = (
    Case("recursive_writes", "filled", "x, y", (real(4 * N), real(4 * N), N)),
    Case("recursive_writes", "sorted", "x, y", (real(8 * N), real(8 * N), N)),
    Case("recursive_writes", "sorted_locally", "x, y", (real(8 * N), real(8 * N), N)),
    Case("recursive_writes", "spectrum", "x, y", (real(8 * N), real(8 * N), N)),
    Case("recursive_writes", "walked", "tree, y", (X, real(8 * N), N)),
    Case("recursive_writes", "walked", "y", (X, real(8 * N), N), label="outputs"),
    Case("recursive_writes", "taken", "x, y", (X, real(4 * N), N)),
    Case("recursive_writes", "taken_while", "x, y", (X, Y, N)),
    Case("recursive_writes", "alternating", "x, y", (X, Y, N)),
    Case("recursive_writes", "pushed", "x, y", (X, Y, N)),
    Case("recursive_writes", "settled", "x, bodies", (X, bodies(4 * N), N)),
    Case("recursive_writes", "flooded", "x, y", (real(N + 9), Y, N)),
    Case("recursive_writes", "only_read", "x, y", (X, real(4 * N), N)),
    Case("recursive_writes", "deciding", "x, y", (real(N + 4), Y, N)),
    Case("recursive_writes", "with_loops", "x, y", (X, Y, N)),
    Case("recursive_writes", "through_views", "x, rows, y", (X, real(4 * N), Y, N)),
    Case("recursive_writes", "through_lambdas", "x, y", (real(4 * N), real(2 * N), N)),
)
