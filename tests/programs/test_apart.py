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


READS = """
#include <cuda_runtime.h>
__global__ void product(double *out, const double *a, const double *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] * b[i + 1];
}
void once(double *out, const double *x, const double *y, int n) { product<<<1, n>>>(out, x, y, n); }
void twice(double *out, const double *x, const double *y, int n) { product<<<1, n>>>(out, x, x, n); }
void chosen(double *out, const double *x, const double *y, int n, int which) {
  const double *a = which & 1 ? x : y, *b = which & 2 ? x : y;
  product<<<1, n>>>(out, a, b, n);
}
"""


def test_memory_that_is_read_twice_has_one_adjoint() -> None:
    """Threads meet there though the elements of each parameter are a thread's own: no order of the threads on the host
    would tell."""
    assert "atomic_add" not in cladpy.gradient(READS, "once", "out, x, y", backend="host").code
    assert cladpy.gradient(READS, "twice", "out, x", backend="host").code.count("atomic_add(&") == 2


def test_memory_that_is_read_twice_by_chance_is_an_error() -> None:
    gradient = cladpy.gradient(READS, "chosen", "out, x, y", backend="host")
    x, y = np.arange(1.0, 5.0), np.arange(5.0, 9.0)
    given = [np.zeros(3), x, y, 3, 1, np.ones(3), np.zeros(4), np.zeros(4)]
    gradient.execute(*given)
    np.testing.assert_allclose(given[-2], [*y[1:], 0])
    with pytest.raises(cladpy.BackendError, match="product is given the same memory twice"):
        gradient.execute(*given[:4], 3, *given[5:])
