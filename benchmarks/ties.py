"""The gradient of a softmax over rows in which the largest number occurs more than once, against its closed form.

usage: python -m benchmarks.ties [--backend cuda|hip|host] [--rows 65536] [--columns 1024]

A warp for each row; the maximum as `fmaxf`, `?:` and `if`. Rows of zeros, of few different numbers, of numbers as
halves hold them, and of random floats, of which a few in ten thousand have their largest number twice. Prints a line
for each, with the largest error of an element in units of the largest of its row, and ends with 1 where one is above
1e-4: a gradient that takes another of equal numbers is wrong by about 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import cladpy

SOURCE = Path(__file__).with_suffix(".cu")
FORMS = ("fmaxf", "?:", "if")
BOUND = 1e-4
Rows = NDArray[np.float32]


def inputs(rows: int, columns: int) -> dict[str, Rows]:
    rng = np.random.default_rng(1)
    random = rng.standard_normal((rows, columns), np.float32)
    return {
        "zeros": np.zeros((rows, columns), np.float32),
        "few different": rng.integers(-3, 4, (rows, columns)).astype(np.float32),
        "halves": random.astype(np.float16).astype(np.float32),
        "random": random,
    }


def wanted(x: Rows, w: Rows) -> NDArray[np.float64]:
    """The closed form: p (w - <w, p>) with the softmax p."""
    p = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    right: NDArray[np.float64] = p * (w - (w * p).sum(1, keepdims=True))
    return right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--rows", type=int, default=65536)
    parser.add_argument("--columns", type=int, default=1024)
    given = parser.parse_args()
    shape = (given.rows, given.columns)
    w = np.random.default_rng(2).random(shape, np.float32)
    grid = (given.rows + 7) // 8
    worst = 0.0
    for name, x in inputs(*shape).items():
        right = wanted(x, w)
        tied = int(((x == x.max(1, keepdims=True)).sum(1) > 1).sum())
        for form, spelling in enumerate(FORMS):
            gradient = cladpy.gradient(str(SOURCE), f"softmax<{form}>", "x, y", backend=given.backend)
            found = np.zeros(shape, np.float32)
            gradient.execute_kernel(grid, 256, x, np.zeros(shape, np.float32), *shape, found, w.copy())
            error = float((np.abs(found - right).max(1) / np.abs(right).max(1)).max())
            worst = max(worst, error)
            print(f"{name}, {spelling}: {tied} of {given.rows} rows with ties, error {error:.1e}", flush=True)
    return int(not worst <= BOUND)


if __name__ == "__main__":
    sys.exit(main())
