"""Which gradients compute, over the threads of a block, in loops of plain statements."""

from __future__ import annotations

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

KERNELS = {
    "plain": ("y[i] = expf(-x[i]) * x[i];", True),
    "called": ("if (i < n) y[i] = half(x[i]);", True),
    "looped": ("float s = x[i]; for (int k = 0; k < n; k++) s = s - s * s; y[i] = s;", False),
    "loop_called": ("y[i] = power(x[i], n);", False),
    "waits": ("s[threadIdx.x] = x[i]; __syncthreads(); y[i] = s[31 - threadIdx.x] * s[threadIdx.x];", True),
    "warp": ("y[i] = __shfl_xor_sync(0xffffffffu, x[i] * x[i], 1);", True),
    "waits_and_loops": (
        "float v = __shfl_xor_sync(0xffffffffu, x[i], 1); for (int k = 0; k < i; k++) v = expf(-v); y[i] = v;",
        False,
    ),
    "waits_and_calls": ("y[i] = power(__shfl_xor_sync(0xffffffffu, x[i], 1), n);", False),
}
TEXT = """
__device__ float half(float v) { return v > 0.0f ? sqrtf(v) : 0.5f * v; }
__device__ float power(float v, int n) { float r = 1.0f; for (int k = 0; k < n; k++) r *= v; return r; }
""" + "".join(
    f"""
__global__ void {name}(float *y, const float *x, int n) {{
  {"__shared__ float s[32];" if name == "waits" else ""}
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  {body}
}}
void by_{name}(float *y, const float *x, int n) {{
  for (int k = 0; k < 3; k++) {name}<<<n / 32, 32>>>(y, x, n);
}}
"""
    for name, (body, _) in KERNELS.items()
)


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_that_compute_in_loops_over_threads_alone_are_straight(name: str) -> None:
    source = Source("kernels.cu", TEXT, None)
    for function in (name, f"by_{name}"):
        derivative = differentiate(source, function, "y, x", Options.make(), "host")
        assert derivative.straight is KERNELS[name][1], function


def test_host_functions_without_kernels_are_not() -> None:
    source = Source("f.cpp", "double f(double x) { return x * x; }", None)
    assert not differentiate(source, "f", "x", Options.make(), "host").straight
