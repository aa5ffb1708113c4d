"""How much shared memory a block of a gradient takes: the code says it, and what no block has is refused."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import LaunchError
from cladpy.ir.shared import STATIC_LIMIT

REVERSED = """
__global__ void reversed(const double *x, double *y) {
  __shared__ double own[%d];
  extern __shared__ double given[];
  int t = threadIdx.x;
  own[t] = x[t];
  given[t] = x[t] * x[t];
  __syncthreads();
  y[t] = own[blockDim.x - 1 - t] * given[blockDim.x - 1 - t];
}
"""


def test_shared_memory_that_no_block_has() -> None:
    gradient = cladpy.gradient(REVERSED % 64, "reversed", "x, y", backend="host")
    x, y, dx, dy = np.arange(8.0), np.zeros(8), np.zeros(8), np.ones(8)
    gradient.primal.execute_kernel(1, 8, x, y, shared_mem=120_000)
    with pytest.raises(LaunchError, match=r"gradient of reversed needs 241024 bytes .* there are 232448\nhint: make"):
        gradient.execute_kernel(1, 8, x, y, dx, dy, shared_mem=120_000)
    assert not dx.any() and dy.all()
    gradient.execute_kernel(1, 8, x, y, dx, dy, shared_mem=100_000)
    np.testing.assert_allclose(dx, 3 * x * x)


@pytest.mark.parametrize(("length", "asked"), [(3008, False), (3072, True)])
def test_arrays_are_asked_for_where_they_are_too_large_to_be_declared(length: int, asked: bool) -> None:
    gradient = cladpy.gradient(REVERSED % length, "reversed", "x, y", backend="host")
    code, bytes = gradient.derivative.fragment, 2 * 8 * length
    assert gradient.derivative.shared.fixed == bytes and (bytes + 512 > STATIC_LIMIT) == asked
    own = f"{bytes} + " if asked else ""
    assert f"_shared_bytes(size_t _shared_mem) {{ return {own}2 * (" in code
    assert (f"__shared__ double own[{length}];" not in code) == asked
