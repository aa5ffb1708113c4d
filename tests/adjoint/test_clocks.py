"""Time that is taken beside what is differentiated, and where it reaches that."""

from __future__ import annotations

import numpy as np

import cladpy

TIMED = """
__global__ void k(const double *x, double *y, long long *times, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long start = clock64();
  if (i < n) y[i] = x[i] * x[i];
  if (i < n) times[i] = clock64() - start;
}
"""


def test_time_that_only_integers_hold_is_not_taken() -> None:
    gradient = cladpy.gradient(TIMED, "k", "x, y", backend="host")
    body = gradient.code.partition("void k_grad(")[2].partition("\n}")[0]
    assert body and "clock64()" not in body.replace("// ", "//").split("//")[0]
    x, d_x = np.linspace(0.5, 1.5, 40), np.zeros(40)
    times = np.full(40, -7)
    gradient.execute_kernel(2, 32, x, np.zeros(40), times, 40, d_x, np.ones(40))
    np.testing.assert_allclose(d_x, 2 * x, rtol=1e-15)
    assert (times == -7).all()
