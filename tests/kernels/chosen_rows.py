"""What is differentiated in chosen_rows.cu; how many sums of each may meet is in `MEETING`."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single


def ids(rng: np.random.Generator) -> object:
    return rng.integers(0, 5, N).astype(np.int32)


def starts(rng: np.random.Generator) -> object:
    return (np.arange(N + 1) * 2).astype(np.int32)


def columns(rng: np.random.Generator) -> object:
    return rng.integers(0, N, 2 * N).astype(np.int32)


def places(rng: np.random.Generator) -> object:
    return np.linspace(0.0, 2.0, 9)


CASES = (
    Case("chosen_rows", "row_of_each", "table, x, y", (ids, real(15), X, Y, N, 3)),
    Case("chosen_rows", "element_of_each", "table, scales, x, y", (ids, real(5), single(4 * N), X, Y, N)),
    Case("chosen_rows", "columns_of_rows", "a, x, y", (starts, columns, real(2 * N), real(3 * N), Y, N, N)),
    Case("chosen_rows", "found_by_search", "at, value, x, y", (places, real(9), X, Y, N, 9)),
    Case("chosen_rows", "by_quotients", "scale, offset, more, x, y", (real(9), real(N), real(9), X, Y, N, 11)),
)

MEETING = {"by_quotients": 2, "row_of_each": 1, "element_of_each": 2, "columns_of_rows": 0, "found_by_search": 0}
