"""Programs by hand that mean the same: split and whole kernels, functions and what they do in place, tiles and plain
reads, strides and one element for each thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.generator import GeneratedProgram

N = 45
Shape = tuple[int, int, int] | None


@dataclass(frozen=True)
class Pair:
    name: str
    first: str
    second: str
    launches: tuple[tuple[Shape, Shape], tuple[Shape, Shape]]

    def programs(self) -> tuple[GeneratedProgram, GeneratedProgram]:
        rng = np.random.default_rng(5)
        values: list[Any] = [rng.uniform(0.3, 1.4, N), rng.uniform(0.3, 1.4, N), np.zeros(N), 0.7, N]
        (grid, block), (other_grid, other_block) = self.launches
        return (
            GeneratedProgram(self.first, "f", "x, w, y, s", grid, block, [*values]),
            GeneratedProgram(self.second, "f", "x, w, y, s", other_grid, other_block, [*values]),
        )


_SIGNATURE = "(const double *x, const double *w, double *y, double s, int n)"
_KERNEL = f"__global__ void f{_SIGNATURE} {{\n"
_THREAD = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
_WIDE = ((2, 1, 1), (32, 1, 1))
_HOST = (None, None)

_WHOLE = """#include <cuda_runtime.h>
__global__ void whole(const double *x, const double *w, double *y, double s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i] * w[i] + s;
  for (int k = 0; k < 3; ++k) a = sin(a) + 0.5 * a * w[(i + k) % n];
  y[i] = a * x[i];
}
void f(const double *x, const double *w, double *y, double s, int n) {
  whole<<<(n + 31) / 32, 32>>>(x, w, y, s, n);
}
"""
_HALVES = """#include <cuda_runtime.h>
__global__ void begun(const double *x, const double *w, double *t, double s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] = x[i] * w[i] + s;
}
__global__ void ended(const double *x, const double *w, const double *t, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = t[i];
  for (int k = 0; k < 3; ++k) a = sin(a) + 0.5 * a * w[(i + k) % n];
  y[i] = a * x[i];
}
void f(const double *x, const double *w, double *y, double s, int n) {
  double *t;
  cudaMalloc(&t, n * sizeof(double));
  begun<<<(n + 31) / 32, 32>>>(x, w, t, s, n);
  ended<<<(n + 31) / 32, 32>>>(x, w, t, y, n);
  cudaFree(t);
}
"""

_CALLED = (
    """__device__ double power(double v, int k) {
  double r = 1.0;
  while (k-- > 0) r *= v;
  return r;
}
__device__ void mixed(double &a, double b, double s) { a = s * a + (b > 0.8 ? b * a : power(b, 3)); }
"""
    + _KERNEL
    + _THREAD
    + """  if (i >= n) return;
  double a = x[i];
  mixed(a, w[i], s);
  mixed(a, x[(i + 1) % n], a);
  y[i] = a;
}
"""
)
_IN_PLACE = (
    _KERNEL
    + _THREAD
    + """  if (i < n) {
    double b = w[i], a = x[i], r;
    if (b > 0.8) {
      r = b * a;
    } else {
      r = b;
      r = r * b;
      r = r * b;
    }
    a = s * a + r;
    b = x[(i + 1) % n];
    if (b > 0.8)
      r = b * a;
    else
      r = b * b * b;
    y[i] = a * a + r;
  }
}
"""
)

_TILED = (
    _KERNEL
    + _THREAD
    + """  __shared__ double tile[34];
  int t = threadIdx.x + 1;
  tile[t] = i < n ? x[i] * w[i] : 0.0;
  if (threadIdx.x == 0) {
    tile[0] = i > 0 ? x[i - 1] * w[i - 1] : 0.0;
    tile[33] = i + 32 < n ? x[i + 32] * w[i + 32] : 0.0;
  }
  __syncthreads();
  if (i < n) y[i] = s * tile[t] * tile[t - 1] + sin(tile[t + 1]);
}
"""
)
_READ = (
    _KERNEL
    + _THREAD
    + """  if (i >= n) return;
  double left = 0.0, right = 0.0;
  if (i > 0) left = x[i - 1] * w[i - 1];
  if (i + 1 < n) right = x[i + 1] * w[i + 1];
  y[i] = s * (x[i] * w[i]) * left + sin(right);
}
"""
)

_STRIDED = (
    _KERNEL
    + """  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double a[2] = {x[i], w[i]};
    for (int k = 0; k < 2; ++k) a[k] = a[k] * a[1 - k] + s;
    y[i] = a[0] - a[1] * x[n - 1 - i];
  }
}
"""
)
_EACH = (
    "struct Two { double a, b; };\n"
    + _KERNEL
    + _THREAD
    + """  if (i >= n) return;
  Two p = {x[i], w[i]};
  p.a = p.a * p.b + s;
  p.b = p.b * p.a + s;
  y[i] = p.a - p.b * x[n - 1 - i];
}
"""
)

PAIRS = (
    Pair("a kernel in two", _WHOLE, _HALVES, (_HOST, _HOST)),
    Pair("functions in place", _CALLED, _IN_PLACE, (_WIDE, _WIDE)),
    Pair("tiles", _TILED, _READ, (_WIDE, _WIDE)),
    Pair("strides", _STRIDED, _EACH, (((1, 1, 1), (8, 1, 1)), _WIDE)),
)
