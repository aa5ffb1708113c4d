"""Constants at namespace scope have the values that the source gives them.

GCC 12 miscompiles `float` tables with `double` initialisers under -frounding-math; the reference here is written out,
because everything else in the tests is built by the same compiler with the same flags.
"""

from __future__ import annotations

import numpy as np

import cladpy

TEXT = """
__constant__ float c[2] = {-0.837, 0.1};
static __device__ const float d[2] = {0.3, -1.7};
__global__ void kernel(const float *x, float *y) { int i = threadIdx.x; y[i] = x[i] * c[i] + d[i]; }
"""


def test_float_tables_with_double_initialisers() -> None:
    gradient = cladpy.gradient(TEXT, "kernel", "x, y", backend="host")
    x, y = np.ones(2, np.float32), np.zeros(2, np.float32)
    gradient.primal.execute_kernel(1, 2, x, y)
    c, d = np.array([-0.837, 0.1], np.float32), np.array([0.3, -1.7], np.float32)
    assert np.allclose(y, c + d, rtol=1e-6)
    d_x, d_y = np.zeros(2, np.float32), np.ones(2, np.float32)
    gradient.execute_kernel(1, 2, x, np.zeros(2, np.float32), d_x, d_y)
    assert np.array_equal(d_x, c)
