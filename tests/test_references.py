"""References among the parameters: of kernels, which a program on the host may launch, and to handles."""

from __future__ import annotations

import numpy as np

from tests.oracle import assert_gradient

KERNEL = """
struct Scale { double a, b; };
__global__ void k(int n, const double *x, double *y, float &last, const double (&w)[3], const Scale &s) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i] * w[i % 3] * s.a;
  if (i == n - 1) last = x[i] * y[i] + s.b;
}
"""

PROGRAM = """
__global__ void k(int n, const double *x, double *y) {
  if (threadIdx.x < n) y[threadIdx.x] += x[threadIdx.x] * x[threadIdx.x];
}
void f(cudaStream_t &s, const cudaStream_t &t, int n, const double *x, double *y) {
  k<<<1, n, 0, s>>>(n, x, y);
  k<<<1, n, 0, t>>>(n, x, y);
  cudaStreamCreate(&s);
  k<<<1, n, 0, s>>>(n, x, y);
}
"""


def test_kernels() -> None:
    x, y = np.linspace(1.0, 2.0, 5), np.zeros(5)
    values = [5, x, y, np.zeros(1, np.float32), np.array([0.5, 1.5, 2.0]), {"a": 1.25, "b": 0.5}]
    assert_gradient(KERNEL, "k", "", 2, 4, values)


def test_handles() -> None:
    assert_gradient(PROGRAM, "f", "", None, None, [None, None, 3, np.linspace(1.0, 2.0, 3), np.zeros(3)])
