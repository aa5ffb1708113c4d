"""Loops in which all threads add to the same elements, one in each turn, over workers: against closed forms."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import cladpy
from cladpy.runtime.gradient import Gradient
from cladpy.runtime.order import host_workers
from tests.by_workers import many_workers

# Turns that nothing connects, that add to two elements of one array, under a condition, every other element, from the
# end, where the element is found by a sum of turns, and along a tile in shared memory; and windows along the threads.
SOURCE = """
__global__ void summed(int n, const double *a, const double *b, const double *c, const double *d, const double *e,
                       const double *f, const double *g, double *y) {
  __shared__ double tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0, scale = i < n ? 1.0 + 0.01 * i : 0.0;
  for (int j = 0; j < n; j++) s += (a[i] - a[j]) * (a[i] - a[j]) * scale;
  for (int j = 0; j < n / 2; j++) s += b[2 * j] * b[2 * j + 1] * scale;
  for (int j = 0; j < n; j++) if (c[j] > 0) s += c[j] * c[j] * scale;
  for (int j = 0; j < n; j++) s += d[n - 1 - j] * scale;
  for (int j = 0, at = 0; j * j < n; j++) { at += j; s += e[at] * e[at] * scale; }
  for (int first = 0; first < n; first += blockDim.x) {
    tile[threadIdx.x] = f[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) s += (tile[k] - a[i]) * tile[k] * scale;
    __syncthreads();
  }
  for (int k = 0; k < 3; k++) s += g[i + k] * g[i + k] * (k + 1) * scale;
  y[i] = s;
}
"""
N = 320


@pytest.fixture(scope="module")
def summed() -> Gradient:
    with many_workers():
        return cladpy.gradient(SOURCE, "summed", "a, b, c, d, e, f, g, y", backend="host")


@pytest.fixture(autouse=True)
def by_workers() -> Iterator[None]:
    with host_workers(True), many_workers():
        yield


def values() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    return {name: rng.normal(size=N + 2) for name in "abcdefgy"}


def run(gradient: Gradient, block: int) -> dict[str, np.ndarray]:
    given = values()
    adjoints = {name: given["y"].copy() if name == "y" else np.zeros(N + 2) for name in given}
    gradient.execute_kernel(N // block, block, N, *given.values(), *adjoints.values())
    return adjoints


def expected() -> dict[str, np.ndarray]:
    v = values()
    w = v["y"][:N] * (1 + 0.01 * np.arange(N))  # what the cotangent of each sum is
    out = {name: np.zeros(N + 2) for name in "abcdefg"}
    a, f = v["a"][:N], v["f"][:N]
    pairs = 2 * (a[:, None] - a[None, :]) * w[:, None]
    out["a"][:N] = pairs.sum(1) - pairs.sum(0) - f.sum() * w
    out["b"][:N] = v["b"][np.arange(N) ^ 1] * w.sum()
    out["c"][:N] = np.where(v["c"][:N] > 0, 2 * v["c"][:N], 0) * w.sum()
    out["d"][:N] = w.sum()
    turns = np.arange(int(np.ceil(np.sqrt(N))))
    at = turns * (turns + 1) // 2
    out["e"][at] = 2 * v["e"][at] * w.sum()
    out["f"][:N] = 2 * f * w.sum() - (a * w).sum()
    for k in range(3):
        out["g"][k : N + k] += 2 * v["g"][k : N + k] * (k + 1) * w
    return out


@pytest.mark.parametrize("block", [64, 32])  # with so few threads a sum is added where it belongs at once
def test_sums_are_those_of_closed_form(summed: Gradient, block: int) -> None:
    found = run(summed, block)
    for name, right in expected().items():
        np.testing.assert_allclose(found[name], right, rtol=1e-11, atol=1e-11, err_msg=name)


def test_rows_are_the_same_for_any_number_of_workers(summed: Gradient, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for threads in ("1", "2", "5", "5"):
        monkeypatch.setenv("CLADPY_HOST_THREADS", threads)
        adjoints = run(summed, 64)
        found.append([adjoints[name].tobytes() for name in "bcdef"])  # threads add to g and a by themselves
    assert found[1:] == found[:-1]


def test_which_loops_have_rows(summed: Gradient) -> None:
    code = summed.code
    rows = [line.split("&_d_")[1].split("[")[0] for line in code.splitlines() if "row_of_sums" in line]
    assert sorted(rows) == ["a", "b", "b", "c", "d"]
    # two elements of one array may be one element in two turns
    assert code.count("CLADPY_SUMS(") + code.count("CLADPY_APART") == 4
