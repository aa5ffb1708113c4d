"""A kernel that writes is given memory apart from all else that it is given, or its gradient says that it is not."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy

PROGRAM = """
#include <cuda_runtime.h>
__global__ void step(double *to, const double *from, int n) {
  int i = threadIdx.x;
  if (i < n) to[i] = from[i] * from[i];
}
double steps(const double *in, int n, int count, int which) {
  double *a, *b, result;
  cudaMalloc(&a, n * sizeof(double));
  cudaMalloc(&b, n * sizeof(double));
  cudaMemcpy(a, in, n * sizeof(double), cudaMemcpyHostToDevice);
  double *buffers[2] = {a, b};
  for (int t = 0; t < count; ++t) step<<<1, 32>>>(buffers[(t + 1) % 2], buffers[(t + which) % 2], n);
  cudaMemcpy(&result, buffers[count % 2], sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  return result;
}
"""


def test_buffers_that_are_chosen_at_run_time() -> None:
    gradient = cladpy.gradient(PROGRAM, "steps", "in", backend="host")
    x, d_x = np.full(4, 0.5), np.zeros(4)
    gradient.execute(x, 4, 3, 0, d_x)
    np.testing.assert_allclose(d_x, [8 * 0.5**7, 0, 0, 0], rtol=1e-14)
    with pytest.raises(cladpy.BackendError, match="step is given the same memory twice"):
        gradient.execute(x, 4, 3, 1, d_x)
