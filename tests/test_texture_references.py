"""Texture references of linear memory, which no CUDA has any longer: cladpy's header stands for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cladpy
from tests.emitted.units import HIP, compiled, derivative_of

PROGRAM = """
texture<float, 1, cudaReadModeElementType> table;
static texture<float2> pairs;
__device__ float twice(int i) { return 2 * tex1Dfetch(table, i); }
__global__ void k(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 pair = tex1Dfetch(pairs, i - 1);
  y[i] = x[i] * twice(i) * tex1Dfetch(table, i + 1) + pair.x * pair.y;
}
void run(const float *table_of_host, const float *x, float *y, int n) {
  size_t at;
  float *memory;
  (void)cudaMalloc(&memory, n * sizeof(float));
  (void)cudaMemcpy(memory, table_of_host, n * sizeof(float), cudaMemcpyHostToDevice);
  (void)cudaBindTexture(&at, table, memory, n * sizeof(float));
  k<<<1, 32>>>(x, y, n);
  (void)cudaUnbindTexture(table);
  (void)cudaFree(memory);
}
"""
N = 5


def test_the_memory_that_one_is_bound_to() -> None:
    """Outside of it there are zeros."""
    gradient = cladpy.gradient(PROGRAM, "k", "x, y, table, pairs", backend="host")
    table, x = np.arange(2, 2 + N, dtype="f4"), np.linspace(1, 2, N, dtype="f4")
    pairs = np.linspace(3, 4, 2 * N, dtype="f4")
    gradient.primal.set_value("table", {"memory": table, "size": N})
    gradient.primal.set_value("pairs", {"memory": pairs, "size": N})
    d_table, d_pairs, d_x = np.zeros(N, "f4"), np.zeros(2 * N, "f4"), np.zeros(N, "f4")
    gradient.set_adjoint("table", {"memory": d_table})
    gradient.set_adjoint("pairs", {"memory": d_pairs})
    y = np.zeros(N, "f4")
    gradient.primal.execute_kernel(1, 32, x, y, N)
    after = np.append(table[1:], np.float32(0))
    before = np.append(np.zeros(2, "f4"), pairs[:-2])
    np.testing.assert_allclose(y, 2 * x * table * after + before[::2] * before[1::2], rtol=1e-6)
    gradient.execute_kernel(1, 32, x, y, N, d_x, np.ones(N, "f4"))
    np.testing.assert_allclose(d_x, 2 * table * after, rtol=1e-6)
    product = 2 * x * table
    np.testing.assert_allclose(d_table, 2 * x * after + np.append(np.float32(0), product[:-1]), rtol=1e-6)
    used = pairs.reshape(N, 2)[:, ::-1].copy()
    used[-1] = 0
    np.testing.assert_allclose(d_pairs, used.ravel(), rtol=1e-6)


@pytest.mark.parametrize("target", ["cuda", HIP])
def test_compilers_take_it(target: str, tmp_path: Path) -> None:
    unit = tmp_path / "unit.cu"
    unit.write_text(derivative_of(PROGRAM, "k", "x, y, table, pairs", target).code)
    found = compiled(unit, target)
    assert found, found.output


def test_what_a_host_program_binds_is_not_followed() -> None:
    with pytest.raises(cladpy.DifferentiationError, match="CP0284"):
        derivative_of(PROGRAM, "run", "table_of_host, x, y", "cuda")
