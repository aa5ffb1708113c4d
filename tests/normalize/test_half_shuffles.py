"""Doubles that lanes hand each other by halves. The oracle knows nothing of halves: the gradient is compared with a
closed form."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import DifferentiationError

PROGRAM = """
__device__ double turned(double v, int lane) {
  return __hiloint2double(__shfl_sync(~0u, __double2hiint(v), lane), __shfl_sync(~0u, __double2loint(v), lane));
}
__device__ double down(double v, int by) {
  int lo = __double2loint(v), hi = __double2hiint(v);
  lo = __shfl_down_sync(0xffffffffu, lo, by, 16);
  hi = __shfl_down_sync(0xffffffffu, hi, by, 16);
  return __hiloint2double(hi, lo);
}
__global__ void circle(const double *x, double *y, int n) {
  int i = threadIdx.x;
  double v = x[i] * x[i];
  if (n > 0) y[i] = v * turned(v, (i + n) % 32);
}
__global__ void sums(const double *x, double *y) {
  double v = x[threadIdx.x] * x[threadIdx.x];
  for (int by = 8; by > 0; by /= 2) v += down(v, by);
  if (threadIdx.x % 16 == 0) y[threadIdx.x / 16] = v;
}
__global__ void apart(const double *x, double *y) {
  double v = x[threadIdx.x], w = 2 * v;
  const int hi = __shfl_sync(~0u, __double2hiint(v), 1);
  const int other = __shfl_sync(~0u, __double2hiint(v), 2);
  y[threadIdx.x] = __hiloint2double(hi, OF) + 0 * other;
}
"""
OTHERS = (
    "__shfl_sync(~0u, __double2loint(v), 2)",
    "__shfl_sync(1u, __double2loint(v), 1)",
    "__shfl_sync(~0u, __double2loint(w), 1)",
    "__shfl_xor_sync(~0u, __double2loint(v), 1)",
    "__double2loint(v)",
)


def test_are_shuffles_of_the_whole() -> None:
    x, weights = np.random.default_rng(0).uniform(0.5, 1.5, (2, 32))
    circle = cladpy.gradient(PROGRAM.replace("OF", "0"), "circle", "x, y", backend="host")
    d_x = np.zeros(32)
    circle.execute_kernel(1, 32, x, np.zeros(32), 5, d_x, weights.copy())
    squares = x * x
    expected = 2 * x * (weights * np.roll(squares, -5) + np.roll(weights * squares, 5))
    assert np.allclose(d_x, expected, rtol=1e-13)
    sums = cladpy.gradient(PROGRAM.replace("OF", "0"), "sums", "x, y", backend="host")
    d_x = np.zeros(32)
    sums.execute_kernel(1, 32, x, np.zeros(2), d_x, np.array([1.0, -2.0]))
    assert np.allclose(d_x, 2 * x * np.repeat([1.0, -2.0], 16), rtol=1e-13)


@pytest.mark.parametrize("of", OTHERS)
def test_other_halves_are_bits(of: str) -> None:
    with pytest.raises(DifferentiationError, match="CP0310"):
        cladpy.gradient(PROGRAM.replace("OF", of), "apart", "x, y", backend="host")
