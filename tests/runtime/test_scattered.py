"""Additions to elements that data chooses, over workers: each has sums of its own for what it comes to often."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import cladpy
from cladpy.runtime.order import host_workers
from tests.by_workers import many_workers

SOURCE = """
__global__ void chosen(int n, const TYPE *one, const TYPE2 *pairs, const TYPE4 *fours, const int *at, TYPE *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const TYPE2 p = pairs[at[i]];
  const TYPE4 f = fours[at[i]];
  y[i] = one[at[i]] * one[at[i] + FAR] + p.x * (i % 7) + 2 * p.y + f.x * 3 + f.y * 4 + f.z * 5 + f.w * 6;
}
"""
N, PLACES = 40_000, 600
FAR = 1 << 22  # elements whose sums would lie at one place


@pytest.fixture(autouse=True)
def by_workers() -> Iterator[None]:
    with host_workers(True), many_workers():
        yield


@pytest.mark.parametrize(("type", "number"), [("float", "f4"), ("double", "f8")])
def test_sums_are_those_of_closed_form(type: str, number: str) -> None:
    gradient = cladpy.gradient(
        SOURCE,
        "chosen",
        "one, pairs, fours, y",
        backend="host",
        defines={"TYPE": type, "TYPE2": f"{type}2", "TYPE4": f"{type}4", "FAR": FAR},
    )
    assert "scatter_add(&_d_pairs[at_i].x" in gradient.code
    rng = np.random.default_rng(1)
    at = rng.integers(0, PLACES, N).astype("i4")
    one = np.zeros(FAR + PLACES, number)
    one[:PLACES], one[FAR:] = rng.integers(1, 5, (2, PLACES))
    weights = rng.integers(-3, 4, N).astype(number)  # so that sums do not depend on their order
    d_one, d_pairs, d_fours = np.zeros_like(one), np.zeros((PLACES, 2), number), np.zeros((PLACES, 4), number)
    pairs, fours = np.ones_like(d_pairs), np.ones_like(d_fours)
    for turn in (1, 2):  # what a worker holds is empty again
        gradient.execute_kernel(
            -(-N // 128), 128, N, one, pairs, fours, at, np.zeros(N, number), d_one, d_pairs, d_fours, weights.copy()
        )
        count = np.bincount(at, weights, PLACES)
        np.testing.assert_array_equal(d_one[:PLACES], turn * count * one[FAR:])
        np.testing.assert_array_equal(d_one[FAR:], turn * count * one[:PLACES])
        np.testing.assert_array_equal(d_pairs[:, 0], turn * np.bincount(at, weights * (np.arange(N) % 7), PLACES))
        np.testing.assert_array_equal(d_pairs[:, 1], turn * 2 * count)
        np.testing.assert_array_equal(d_fours, turn * np.outer(count, [3, 4, 5, 6]))
    assert not d_one[PLACES:FAR].any()
