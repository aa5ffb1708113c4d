"""Programs that include CUDA's own C++ library, on the host: its headers come from the toolkit."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from cladpy.frontend.toolkit import toolkit_include

KERNEL = """
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda_fp16.h>

__device__ cuda::std::tuple<double, int> largest(const cuda::std::array<double, 3> &of) {
  double most = -cuda::std::numeric_limits<double>::infinity();
  int place = 0;
  for (int k = 0; k < 3; ++k) {
    if (of[k] > most) most = of[place = k];
  }
  return cuda::std::make_tuple(most, place);
}

__global__ void waves(const double *x, const __half *gain, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  cuda::std::complex<double> z(x[i], x[n - 1 - i]);
  z = cuda::std::exp(z * cuda::std::complex<double>(0.5, 1)) / (z + 3.0);
  const auto found = largest({x[i], z.real(), z.imag()});
  const double most = cuda::std::get<0>(found);
  y[i] = cuda::std::norm(z) + most * (cuda::std::get<1>(found) + 1);
  y[i] += cuda::std::sqrt(most * most + 1) * double(__half2float(gain[i]));
}
"""


@pytest.mark.skipif(toolkit_include() is None, reason="no CUDA toolkit")
def test_a_program_that_includes_it() -> None:
    rng = np.random.default_rng(1)
    n = 6
    gradient = cladpy.gradient(KERNEL, "waves", "x, y", backend="host")
    x, gain, weights = rng.normal(size=n), rng.normal(size=n).astype(np.float16), rng.normal(size=n)
    found = gradient(1, 8, x, gain, np.zeros(n), n, cotangents={"y": weights})["x"]

    def value(at: np.ndarray) -> float:
        y = np.zeros(n)
        gradient.primal.execute_kernel(1, 8, at, gain, y, n)
        return float(weights @ y)

    step = 1e-6
    differences = [(value(x + step * e) - value(x - step * e)) / (2 * step) for e in np.eye(n)]
    np.testing.assert_allclose(found, differences, rtol=1e-6, atol=1e-7)
