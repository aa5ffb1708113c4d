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


def product(factors: int) -> str:
    """All factors, and what they make so far, are live where it is differentiated."""
    return "\n".join(
        [
            "__global__ void kernel(const double *x, double *y, int n) {",
            "  int i = threadIdx.x;",
            "  double p0 = x[i];",
            *(f"  double p{k + 1} = p{k} * sin(x[i * n + {k}]);" for k in range(factors)),
            f"  y[i] = p{factors};",
            "}",
        ]
    )


SIZES = (128, 256, 512, 1024)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [(FEW, ()), (PULLBACK, SIZES), (CARRIED, SIZES), (product(32), SIZES), (product(200), (256, 1024))],
    ids=["few", "calls", "array", "many", "more than there are"],
)
@pytest.mark.parametrize("target", ["cuda", "hip"])
def test_sizes(text: str, sizes: tuple[int, ...], target: str) -> None:
    code = " ".join(derivative_of(text, "kernel", "x, y", target).code.split())  # lines are folded
    assert ("template <int MaxBlock = 1024>" in code) is bool(sizes)
    assert ("__launch_bounds__(1024) kernel_grad(" in code) is not bool(sizes)
    compiled = "".join(f", {size}" for size in sizes)
    instances = ", ".join(f"kernel_grad<{size}>" for size in sizes) or "kernel_grad"
    assert f"{compiled}>{{{{{instances}}}}}.run" in code
