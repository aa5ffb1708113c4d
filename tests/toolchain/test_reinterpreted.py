"""Memory that is written as one type and read as another, as nvcc lets programs do, at the effort of users' calls."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy

# Halves that are moved as the floats of a float4, which to C++ are never the same memory.
MOVED = """
#include <cuda_fp16.h>
__global__ void moved(const half *x, half *y) {
  float4 from = reinterpret_cast<const float4 *>(x)[threadIdx.x], to;
  float4 *const place = reinterpret_cast<float4 *>(y) + threadIdx.x;
  half2 *given = reinterpret_cast<half2 *>(&from), *made = reinterpret_cast<half2 *>(&to);
  for (int k = 0; k < 4; ++k) made[k] = __hmul2(given[k], given[k]);
  *place = to;
}
"""


def test_the_original_is_as_nvcc_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLADPY_HOST_FLAGS", "")
    gradient = cladpy.gradient(MOVED, "moved", backend="host")
    x, y = np.linspace(0.5, 1.5, 32, dtype=np.float16), np.zeros(32, np.float16)
    gradient.primal.execute_kernel(1, 4, x, y)
    np.testing.assert_array_equal(y, x * x)
