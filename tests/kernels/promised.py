"""What is differentiated in promised.cu; what may be promised of each is in `PROMISES`."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, rows, zeros

HALF = N // 2
CELLS = np.dtype([("a", np.float64), ("b", np.float64)])


def counts(rng: np.random.Generator) -> object:
    return rng.integers(0, 4, N).astype(np.int32)


def cells(rng: np.random.Generator) -> object:
    made = np.zeros(N, CELLS)
    made["a"], made["b"] = rng.uniform(0.5, 1.5, N), rng.uniform(0.5, 1.5, N)
    return made


def walls(rng: np.random.Generator) -> object:
    return (rng.uniform(0, 1, 240) < 0.2).astype(np.int32)


def turns(rng: np.random.Generator) -> object:
    return np.array([0, 2, 0, 3], np.int32)  # one element is stored to twice


def parts(rng: np.random.Generator) -> object:
    return np.array([3, 40, 83], np.int32)


CASES = (
    Case("promised", "squared", "x, y", (X, Y, N)),
    Case("promised", "summed_over_loop", "x, w, y", (X, real(5), Y, N, 5)),
    Case("promised", "summed_where_reached", "x, y", (real(50), counts, Y, N, 50)),
    Case("promised", "each_iteration", "x, y", (real(3 * N), zeros(3 * N), N, 3)),
    Case("promised", "two_sides", "x, y", (X, Y, N)),
    Case("promised", "one_after_the_other", "x, y", (X, Y, N)),
    Case("promised", "sides_in_turn", "x, y", (X, Y, N)),
    Case("promised", "neighbours", "x, y", (X, Y, N)),
    Case("promised", "read_by_all", "x, y", (X, Y, N)),
    Case("promised", "rows", "x, w, y", (real(5 * N), real(5), zeros(5 * N), N, 5)),
    Case("promised", "other_rows", "x, y", (real(5 * N), zeros(5 * N), N, 5)),
    Case("promised", "again", "x, y", (X, Y, HALF)),
    Case("promised", "behind_a_barrier", "x, y", (X, Y, N), one_launch=True),
    Case("promised", "stored_twice", "x, y", (X, Y, N)),
    Case("promised", "in_place", "x, y, a", (X, real(N), 1.3, N)),
    Case("promised", "passed_through", "x, y", (X, Y, N)),
    Case("promised", "steps", "u", (X, N, 3)),
    Case("promised", "by_calls", "w, y", (real(2 * N + 1), Y, N)),
    Case("promised", "members", "cells, y", (cells, Y, N)),
    Case("promised", "until_enough", "x, y", (real(5 * N), Y, N, 5)),
    Case("promised", "twice_there", "x, y", (real(4 * N), Y, N, 4)),
    Case("promised", "where_it_was_left", "x, y", (real(5 * N), Y, N, 5)),
    Case("promised", "shared_by_all", "x, y", (real(40), Y, N, 40)),
    Case("promised", "added_to", "x, y", (X, zeros(7), N), None, None),
    Case("promised", "told_in_between", "x, y", (X, zeros(64), zeros(64), N), one_launch=True),
    Case("promised", "weighted_sides", "x, w, y", (X, real(1), Y, N)),
    Case("promised", "streamed", "f, g", (real(1200), zeros(1200), walls), one_launch=True),
    Case("promised", "streamed_in_turn", "f, g", (real(640), zeros(640), turns, 4), one_launch=True),
    Case("promised", "both_rows", "rows, x", (rows(2, N + 1), X, N)),
    Case("promised", "in_parts", "x, y", (real(90), zeros(90), parts), one_launch=True),
    Case("promised", "by_steps", "x, y", (X, Y, N, 0)),
    Case("promised", "narrow", "x, y", (real(256), zeros(256), 260), None, None),
    Case("promised", "narrow_rows", "x, y", (real(256), zeros(1024), 260), 2, 2, one_launch=True),
    Case("promised", "before_the_loop", "x, y", (X, Y, N, 3)),
    Case("promised", "largest_first", "x, y", (real(5 * N), zeros(5 * N), N, 5)),
    Case("promised", "after_a_neighbour", "x, y", (X, Y, N)),
    Case("promised", "in_one_loop", "x, y", (real(3 * N), Y, N)),
    Case("promised", "polynomial", "c, x", (real(6), 0.7, 6), None, None),
)

# fresh, consumed, and how many updates of memory are assigned, and how many cotangents are left
PROMISES: dict[str, tuple[str, str, int, int]] = {
    "squared": ("x", "y", 1, 1),
    "summed_over_loop": ("x", "y", 1, 1),
    "summed_where_reached": ("x", "y", 1, 1),
    "each_iteration": ("x", "y", 1, 1),
    "two_sides": ("x", "y", 2, 2),
    "one_after_the_other": ("x", "y", 1, 1),
    "sides_in_turn": ("x", "y", 0, 1),
    "neighbours": ("x", "y", 0, 1),
    "read_by_all": ("x", "y", 1, 1),
    "rows": ("x", "y", 1, 1),
    "other_rows": ("x", "y", 1, 1),
    "again": ("x", "y", 0, 1),
    "behind_a_barrier": ("x", "y", 0, 1),
    "stored_twice": ("x", "y", 1, 0),
    "in_place": ("x", "", 2, 1),
    "passed_through": ("x", "", 1, 1),
    "by_calls": ("w", "y", 0, 1),
    "members": ("cells", "y", 2, 1),
    "until_enough": ("x", "y", 1, 1),
    "twice_there": ("x", "y", 0, 1),
    "where_it_was_left": ("x", "y", 1, 1),
    "shared_by_all": ("", "y", 0, 1),
    "added_to": ("x", "y", 1, 1),
    "told_in_between": ("x", "y", 1, 1),
    "weighted_sides": ("x", "y", 0, 1),
    "streamed": ("", "g", 0, 5),
    "streamed_in_turn": ("", "g", 0, 0),
    "in_parts": ("x", "y", 1, 1),
    "by_steps": ("x", "y", 0, 0),
    "narrow": ("", "y", 0, 0),
    "narrow_rows": ("", "y", 0, 0),
    "before_the_loop": ("x", "y", 1, 1),
    "largest_first": ("x", "y", 1, 1),
    "after_a_neighbour": ("x", "y", 0, 1),
    "in_one_loop": ("x", "y", 0, 1),
    "polynomial": ("c, x", "", 2, 0),
}
