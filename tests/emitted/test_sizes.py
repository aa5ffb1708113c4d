"""Kernels that may want many registers are compiled for several sizes of blocks, and others once."""

from __future__ import annotations

import pytest

from tests.emitted.units import derivative_of

FEW = """__global__ void kernel(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}
"""
PULLBACK = """__device__ double power(double x, int n) { return n > 0 ? x * power(x, n - 1) : 1.0; }
__global__ void kernel(const double *x, double *y, int n) { y[threadIdx.x] = power(x[threadIdx.x], n); }
"""
CARRIED = """__global__ void kernel(const double *x, double *y, int n) {
  double sums[16] = {};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 16; ++k) sums[k] += sin(x[i * 16 + k]);
  for (int k = 0; k < 16; ++k) y[threadIdx.x] += sums[k] * sums[k];
}
"""
MANY = "\n".join(
    [
        "__global__ void kernel(const double *x, double *y, int n) {",
        "  int i = threadIdx.x;",
        *(f"  double v{k} = x[i * 32 + {k}] * x[i];" for k in range(32)),
        f"  y[i] = {' * '.join(f'v{k}' for k in range(32))};",
        "}",
    ]
)


@pytest.mark.parametrize(
    ("text", "sized"),
    [(FEW, False), (PULLBACK, True), (CARRIED, True), (MANY, True)],
    ids=["few", "calls", "array", "many"],
)
@pytest.mark.parametrize("target", ["cuda", "hip"])
def test_sizes(text: str, sized: bool, target: str) -> None:
    code = derivative_of(text, "kernel", "x, y", target).code
    assert ("template <int MaxBlock = 1024>" in code) is sized
    assert ("kernel_grad<256>, kernel_grad<512>, kernel_grad<1024>" in code) is sized
    assert ("__launch_bounds__(1024) kernel_grad(" in code) is not sized
