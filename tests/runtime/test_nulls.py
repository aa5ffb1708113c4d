"""None for an array that is used ends the call with an error, on workers and in an order; where it is not, it runs."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import BackendError
from cladpy.runtime.order import host_order

PROGRAM = """
__global__ void scaled(const double *x, const double *bias, double *y, int has_bias, int n) {
  __shared__ double tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) y[i] = tile[threadIdx.x] * tile[0] + (has_bias ? bias[i] : 0);
}

double total(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) r += x[i] * x[i];
  return r;
}
"""


@pytest.mark.parametrize("blocks", [1, 500])
def test_of_a_kernel(blocks: int) -> None:
    grad = cladpy.gradient(PROGRAM, "scaled", "x, y", backend="host")
    n = 32 * blocks
    x, d_x = np.ones(n), np.zeros(n)
    grad.execute_kernel(blocks, 32, x, None, np.zeros(n), 0, n, d_x, np.ones(n))
    assert d_x[1] == 1 and d_x[0] == 33
    for call in (
        lambda: grad.execute_kernel(blocks, 32, None, x, np.zeros(n), 1, n, np.zeros(n), np.ones(n)),
        lambda: grad.primal.execute_kernel(blocks, 32, x, None, np.zeros(n), 1, n),
    ):
        with pytest.raises(
            BackendError, match=r"in block \(\d+, 0, 0\) thread \(\d+, 0, 0\), '(x|bias)' is null, and is used"
        ):
            call()
        with host_order("reverse"), pytest.raises(BackendError, match="is null, and is used"):
            call()
    again = np.zeros(n)
    grad.execute_kernel(blocks, 32, x, None, np.zeros(n), 0, n, again, np.ones(n))
    assert np.array_equal(again, d_x)


def test_of_a_host_function() -> None:
    grad = cladpy.gradient(PROGRAM, "total", "x", backend="host")
    with pytest.raises(BackendError, match="'x' is null, and is used"):
        grad.primal.execute(None, 5)
    with pytest.raises(BackendError, match="'x' is null, and is used"):
        grad.execute(None, 5, np.zeros(5))
    assert grad.primal.execute(None, 0) == 0
    assert grad.primal.execute(np.ones(5), 5) == 5
