"""What the arguments in the tables are made of: `real(64)`, `shaped(8, 3)`, `zeros(64)`, `indices(64, below)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cladpy.runtime.scalars import bfloat16_bits

Make = Callable[[np.random.Generator], Any]


def real(n: int, low: float = 0.2, high: float = 1.2) -> Make:
    return lambda rng: rng.uniform(low, high, n)


def shaped(*extents: int) -> Make:
    return lambda rng: rng.uniform(0.2, 1.2, extents)


def single(n: int, low: float = 0.2, high: float = 1.2) -> Make:
    return lambda rng: rng.uniform(low, high, n).astype(np.float32)


def zeros(n: int, dtype: str = "f8") -> Make:
    return lambda rng: np.zeros(n, dtype)


def pairs(n: int) -> Make:
    return lambda rng: rng.uniform(0.3, 1.2, 2 * n).view([("x", "f8"), ("y", "f8")])


def vectors(n: int, low: float = 0.3, high: float = 1.2) -> Make:
    vector = np.dtype([("x", "f8"), ("y", "f8"), ("z", "f8")])
    return lambda rng: rng.uniform(low, high, 3 * n).view(vector)


def blank(*extents: int, dtype: str = "f8") -> Make:
    """Zeros for a result of several numbers per element."""
    return lambda rng: np.zeros(extents, dtype)


def single_rows(n: int, k: int) -> Make:
    return lambda rng: rng.uniform(0.2, 1.2, (n, k)).astype(np.float32)


def shaped_in(n: int, *ranges: tuple[float, float], dtype: str = "f8") -> Make:
    """Rows whose columns are drawn from ranges of their own."""
    return lambda rng: np.stack([rng.uniform(low, high, n) for low, high in ranges], 1).astype(dtype)


def index_rows(n: int, *below: int) -> Make:
    """Rows of different indices, each below its own bound."""
    return lambda rng: np.stack([rng.permutation(b)[np.arange(n) % b] for b in below], 1).astype(np.int32)


def triangles(n: int, points: int) -> Make:
    return lambda rng: np.array([rng.permutation(points)[:3] for _ in range(n)], np.int32)


def ring(n: int, width: int) -> Make:
    """For each of n elements the next `width` of them, as the second array of a list of neighbours."""
    return lambda rng: (np.arange(n)[:, None] + np.arange(1, width + 1)).ravel().astype(np.int32) % n


def every(step: int, n: int) -> Make:
    return lambda rng: np.arange(0, step * n + 1, step, dtype=np.int32)


def increasing(n: int) -> Make:
    """A grid from 0 to 1.3, a little irregular."""
    return lambda rng: np.linspace(0.0, 1.3, n) + np.r_[0.0, rng.uniform(-0.2, 0.2, n - 2) / n, 0.0]


def rows(count: int, n: int) -> Make:
    """A table of pointers to rows."""
    return lambda rng: [rng.uniform(0.2, 1.2, n) for _ in range(count)]


def members(**values: Any) -> Make:
    """An object by its members; those that are made from random numbers too."""
    return lambda rng: {name: v(rng) if callable(v) else v for name, v in values.items()}


def indices(n: int, below: int) -> Make:
    return lambda rng: rng.integers(0, below, n).astype(np.int32)


def chars(n: int, below: int) -> Make:
    return lambda rng: rng.integers(0, below, n).astype(np.uint8)


def permutation(n: int) -> Make:
    return lambda rng: rng.permutation(n).astype(np.int32)


def half(n: int, low: float = 0.3, high: float = 1.2) -> Make:
    return lambda rng: rng.uniform(low, high, n).astype(np.float16)


def half_rows(*extents: int) -> Make:
    return lambda rng: rng.uniform(0.3, 1.2, extents).astype(np.float16)


def bfloat(*extents: int) -> Make:
    return lambda rng: bfloat16_bits(rng.uniform(0.3, 1.2, extents))
