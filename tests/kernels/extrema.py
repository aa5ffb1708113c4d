"""What is differentiated in extrema.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, Y
from tests.kernels.making import Make, real, single, zeros

COLUMNS = 7
ROWS = real(N * COLUMNS)


def numbers(*given: float) -> Make:
    return lambda rng: np.array(given)


def numbers_of(*given: int) -> Make:
    return lambda rng: np.array(given, np.int32)


def weights(few: bool) -> Make:
    """Objects with numbers, of which few are different or all."""

    def make(rng: np.random.Generator) -> np.ndarray:
        found = np.zeros(N, np.dtype([("of", "f8", 4)]))
        found["of"] = rng.integers(1, 3, (N, 4)) if few else rng.permutation(4 * N).reshape(N, 4) / N
        return found

    return make


CASES = (
    Case("extrema", "largest_of_rows", "x, w, y", (ROWS, numbers(-9.0, 0.7), Y, N, COLUMNS)),
    Case("extrema", "largest_of_rows", "x, w, y", (ROWS, numbers(0.5, 0.7), Y, N, COLUMNS), label="none"),
    Case("extrema", "largest_of_rows", "x, w, y", (ROWS, numbers(0.5, 0.7), Y, N, 0), label="empty"),
    Case("extrema", "in_nested_loops", "x, y", (single(N * COLUMNS), zeros(N, "f4"), N, COLUMNS)),
    Case("extrema", "other_operand", "x, y", (ROWS, Y, N, COLUMNS)),
    Case("extrema", "equal_numbers", "x, y", (ROWS, Y, N, COLUMNS)),
    Case("extrema", "until_large", "x, y", (ROWS, Y, N, COLUMNS)),
    Case("extrema", "changed_later", "x, y", (ROWS, Y, N, COLUMNS)),
    Case("extrema", "of_objects", "w, v, y", (weights(False), weights(True), Y, N)),
    Case("extrema", "of_some", "x, y", (ROWS, numbers_of(1, 0, 2, 1, 0, 0, 1), Y, N, COLUMNS)),
    Case("extrema", "nearest", "x, points, best", (real(2 * N), real(2 * 70), Y, numbers_of(*N * [0]), N, 70)),
    Case("extrema", "of_neighbours", "x, y", (ROWS, Y, N, COLUMNS)),
    Case("extrema", "several", "x, w, y", (real(2 * N * COLUMNS), numbers(0.7), Y, N, COLUMNS)),
    Case("extrema", "nearest_of_pairs", "x, points, best", (real(2 * N), real(2 * 71), Y, N, 71)),
    Case(
        "extrema",
        "of_windows",
        "x, y",
        (ROWS, numbers_of(1, 0, 2, 1, 0, 0, 1), Y, numbers_of(*N * [0]), N, COLUMNS),
    ),
    Case("extrema", "told_in_pairs", "x, y", (real(2 * 3 * 32), zeros(64), 3), one_launch=True),
)
