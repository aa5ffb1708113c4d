"""What is differentiated in block_algorithms.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import Make, indices, pairs, real, shaped, single, vectors, zeros


def _case(function: str, args: str, values: tuple[Any, ...], grid: Any, block: Any, bytes: int = 0) -> Case:
    label = f"of_{block}" if isinstance(block, int) else ""
    return Case("block_algorithms", function, args, values, grid, block, label, bytes, one_launch=True)


def _no_pairs(n: int) -> Make:
    return lambda rng: np.zeros(n, [("x", "f8"), ("y", "f8")])


CASES = (
    *(_case("blelloch", "x, y", (real(4 * n), zeros(4 * n), 2 * n), 2, n, 16 * n) for n in (1, 32, 64)),
    *(
        _case("running_products", "x, y", (real(2 * n), zeros(2 * n), 2 * n - n // 3), 2, n)
        for n in (1, 32, 33, 96, 256)
    ),
    *(_case("warp_scan", "x, y", (real(2 * n), zeros(2 * n), 2 * n - 20), 2, n) for n in (32, 96, 1024)),
    _case("segmented_scan", "x, y", (real(128), indices(128, 100), zeros(128)), 2, 64),
    *(
        _case("bitonic", "keys, load, out, carried", (real(2 * n), real(2 * n), zeros(2 * n), zeros(2 * n)), 2, n)
        for n in (1, 32, 256)
    ),
    _case("by_rank", "x, y", (real(90), zeros(44), 45), 2, 64),
    *(_case("cholesky", "A", (shaped(2, 7, 7), 7), 2, n, 8 * 49) for n in (1, 33, 96)),
    _case("solve", "A, b, x", (shaped(2, 6, 6), real(12), zeros(12)), 2, (7, 6)),
    *(
        _case("tridiagonal", "lower, main, upper, right, x", (*[real(2 * n)] * 4, zeros(2 * n)), 2, n, 32 * n)
        for n in (1, 32, 33)
    ),
    _case("fourier", "x, y", (pairs(64), _no_pairs(64), 5), 2, 16),
    _case("bodies", "place, speed, mass, dt", (vectors(20), vectors(20), real(20), 20, 0.05, 3), 1, 33),
    _case("compacted", "x, y, count", (real(250), zeros(256), zeros(2), 250, 0.71), 2, 128),
    _case("several_types", "x, w, y", (real(50), single(50), zeros(50), 50), 2, 32, 512 + 128),
    _case("groups_of_sixteen", "x, w, y", (real(9 * 21), real(21), zeros(9 * 21), 9, 21), 3, 64, 168),
    *(_case("leaving", "x, y", (real(2 * n), zeros(2 * n), 2 * n - n // 4, 4), 2, n) for n in (1, 33, 96)),
)
