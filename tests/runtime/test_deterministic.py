"""accumulate="deterministic": the same bits whatever the order of the threads, and the right sums."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cladpy
from cladpy.runtime.order import host_order
from tests.emitted.units import HIP, compiled, derivative_of_options

KERNEL = """
__device__ double recursive(const double *w, double x, int n) {
  if (n == 0) return w[0];
  return w[n] + x * recursive(w, x, n - 1);
}
__global__ void k(double *y, const double *x, const double *w, const int *idx, double a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = a * x[idx[i]];
  for (int j = 0; j < 5; ++j) s = sin(s) * w[j] + x[(i + j) % n];
  y[i] = s + recursive(w, s, 3);
}
"""
SUM = """
__global__ void k(T *y, const T *x, const T *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = c[i] * x[0];
}
"""
VECTORS = """
__global__ void k(double *y, const float4 *p, const int *idx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 q = p[idx[i]];
  y[i] = (double)(q.x * q.y + q.z * q.w);
}
"""
TREE = """
__global__ void k(double *y, const double *x, const int *idx, int n) {
  __shared__ double s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[idx[i]] * x[idx[i]] : 0.0;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] = 0.7 * s[t] * s[t] + sin(s[t + k]);
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0] * s[0];
}
"""
ORDERS = (("forward", 0), ("reverse", 0), *(("random", seed) for seed in range(6)))


def _gradients(gradient: Any, arguments: Sequence[object], adjoints: Sequence[NDArray[Any]]) -> list[list[bytes]]:
    """The bytes of the adjoints after a launch, in each order of threads."""
    found = []
    for order, seed in ORDERS:
        copies = [a.copy() for a in adjoints]
        with host_order(order, seed):
            gradient.execute_kernel(5, 32, *arguments, *copies)
        found.append([c.tobytes() for c in copies])
    return found


def test_the_bits_do_not_depend_on_the_order() -> None:
    rng = np.random.default_rng(3)
    n = 150
    x, w, idx = rng.standard_normal(n), rng.standard_normal(6), rng.integers(0, 7, n).astype(np.int32)
    arguments = (np.zeros(n), x, w, idx, 0.7, n)
    adjoints = [rng.standard_normal(n), *(rng.standard_normal(k) for k in (n, 6, 1))]
    exact = cladpy.gradient(KERNEL, "k", backend="host", accumulate="deterministic")
    found = _gradients(exact, arguments, adjoints)
    assert all(f == found[0] for f in found)
    # the test can fail: atomic additions of these numbers do depend on the order
    usual = _gradients(cladpy.gradient(KERNEL, "k", backend="host"), arguments, adjoints)
    assert any(f != usual[0] for f in usual)
    for own, other in zip(found[0], usual[0], strict=True):
        np.testing.assert_allclose(np.frombuffer(own), np.frombuffer(other), rtol=1e-13, atol=1e-13)


def test_a_tree_of_sums_in_shared_memory() -> None:
    """No two threads meet there, between barriers: nothing has to be split."""
    rng = np.random.default_rng(5)
    n = 150
    x, idx = rng.uniform(0.3, 0.8, n), rng.integers(0, 4, n).astype(np.int32)
    arguments, adjoints = (np.zeros(5), x, idx, n), [rng.standard_normal(5), rng.standard_normal(n)]
    exact = cladpy.gradient(TREE, "k", backend="host", accumulate="deterministic")
    found = _gradients(exact, arguments, adjoints)
    assert all(f == found[0] for f in found)
    usual = _gradients(cladpy.gradient(TREE, "k", backend="host"), arguments, adjoints)
    assert any(f != usual[0] for f in usual)
    for own, other in zip(found[0], usual[0], strict=True):
        np.testing.assert_allclose(np.frombuffer(own), np.frombuffer(other), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("type", "dtype"), [("double", np.float64), ("float", np.float32)])
@pytest.mark.parametrize("scale", ["one", "wide", "small", "large"])
def test_sums_are_exact(type: str, dtype: Any, scale: str) -> None:
    rng = np.random.default_rng(5)
    n, info = 160, np.finfo(dtype)
    c = rng.standard_normal(n)
    if scale == "wide":
        c *= 10.0 ** rng.integers(-30, 30, n)
        c[n // 2 :] = -c[: n // 2]  # what remains is one small number
        c[0] += abs(c[0]) * 1e-5
    elif scale == "small":
        c = np.ldexp(rng.integers(-9, 9, n), int(info.minexp) - info.nmant)
    elif scale == "large":
        c = rng.choice([-1.0, 1.0], n) * float(info.max) / 300
    c = c.astype(dtype)
    gradient = cladpy.gradient(SUM.replace("T *", f"{type} *"), "k", "y, x", backend="host", accumulate="deterministic")
    d_x = np.zeros(1, dtype)
    gradient.execute_kernel(5, 32, np.zeros(n, dtype), np.ones(1, dtype), c, n, np.ones(n, dtype), d_x)
    expected = sum((Fraction(float(v)) for v in c), Fraction(0))
    assert abs(Fraction(float(d_x[0])) - expected) <= abs(expected) * Fraction(float(info.eps))


@pytest.mark.parametrize(
    ("values", "expected"),
    [([np.inf, 1.0], np.inf), ([-np.inf, 5.0], -np.inf), ([np.inf, -np.inf], np.nan), ([np.nan, 1.0], np.nan)],
)
def test_what_is_no_number_stays_so(values: list[float], expected: float) -> None:
    gradient = cladpy.gradient(SUM.replace("T *", "double *"), "k", "y, x", backend="host", accumulate="deterministic")
    d_x = np.zeros(1)
    gradient.execute_kernel(1, 32, np.zeros(2), np.ones(1), np.array(values), 2, np.ones(2), d_x)
    np.testing.assert_array_equal(d_x, [expected])


def test_vectors_are_rows_of_numbers() -> None:
    rng = np.random.default_rng(7)
    p, idx = rng.standard_normal((5, 4)).astype(np.float32), rng.integers(0, 5, 90).astype(np.int32)
    found = []
    for accumulate in ("deterministic", "auto"):
        d_p = np.zeros_like(p)
        gradient = cladpy.gradient(VECTORS, "k", backend="host", accumulate=accumulate)
        gradient.execute_kernel(3, 32, np.zeros(90), p, idx, 90, np.ones(90), d_p)
        found.append(d_p)
    np.testing.assert_allclose(found[0], found[1], rtol=1e-5, atol=1e-5)
    assert np.abs(found[0]).max() > 1


@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_it_compiles_without_a_warning(target: str, tmp_path: Path) -> None:
    unit = tmp_path / "unit.cu"
    unit.write_text(derivative_of_options(KERNEL, "k", target, accumulate="deterministic").code)
    result = compiled(unit, target)
    assert result, result.output
