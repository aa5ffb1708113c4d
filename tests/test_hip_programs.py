"""Programs that are written for HIP: they are read, run on the host, and emitted for HIP and for CUDA."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import DifferentiationError
from tests.emitted.units import HIP, compiled, derivative_of

PROGRAM = """#include <hip/hip_runtime.h>
#include <cstdio>
#define CHECK(call) do { hipError_t e = (call); if (e != hipSuccess) return puts(hipGetErrorString(e)); } while (0)

template <typename T>
__global__ void squared(const T *x, T *y, T a, int n) {
  __shared__ T tile[256];
  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  tile[threadIdx.x] = i < n ? x[i] : T(0);
  __syncthreads();
  if (i < n) y[i] = a * tile[threadIdx.x] * tile[threadIdx.x] + T(0 * hipGridDim_x);
}

int run() {
  float *x = nullptr, *y = nullptr;
  CHECK(hipMalloc(&x, 256));
  CHECK(hipHostMalloc(&y, 256));
  CHECK(hipMemset(x, 0, 256));
  hipLaunchKernelGGL(HIP_KERNEL_NAME(squared<float>), dim3(1), dim3(64), 0, 0, x, y, 2.0f, 64);
  squared<float><<<1, 64>>>(x, y, 2.0f, 64);
  CHECK(hipDeviceSynchronize());
  CHECK(hipHostFree(y));
  return hipFree(x) != hipSuccess;
}
"""

# What is compiled is what was read, whatever the program asks about its compiler.
ARMS = """__global__ void k(const float *x, float *y) {
#if defined(__HIP_PLATFORM_AMD__) && defined(__HIP_DEVICE_COMPILE__)
  y[threadIdx.x] = 5 * x[threadIdx.x];
#elif defined(__HIPCC__) || defined(__HIP__)
  y[threadIdx.x] = 6 * x[threadIdx.x];
#elif defined(__CUDA_ARCH__) && defined(__CUDACC__)
  y[threadIdx.x] = 7 * x[threadIdx.x];
#endif
}
"""


def test_it_runs_on_the_host() -> None:
    gradient = cladpy.gradient(PROGRAM, "squared<float>", "x, y", backend="host")
    x, y, dx, dy = (
        np.arange(8, dtype=np.float32),
        np.zeros(8, np.float32),
        np.zeros(8, np.float32),
        np.ones(8, np.float32),
    )
    gradient.primal.execute_kernel(1, 8, x, y, 0.5, 8)
    gradient.execute_kernel(1, 8, x, y, 0.5, 8, dx, dy)
    assert np.array_equal(y, x * x / 2) and np.array_equal(dx, x)


@pytest.mark.parametrize("target", [HIP, "host"])
def test_it_is_compiled(target: str, tmp_path: Path) -> None:
    code = derivative_of(PROGRAM, "squared<float>", "x, y", target).code
    unit = tmp_path / ("unit.cpp" if target == "host" else "unit.cu")
    unit.write_text(code)
    result = compiled(unit, target)
    assert result, result.output


def test_it_is_compiled_for_cuda(tmp_path: Path) -> None:
    from cladpy.toolchain import compile_cuda

    code = derivative_of(PROGRAM, "squared<float>", "x, y", "cuda").code
    assert compile_cuda(code).is_file()


@pytest.mark.parametrize("head", ["", "#include <hip/hip_runtime.h>\n", "#include <cuda_runtime.h>\n"])
@pytest.mark.parametrize(("target", "factor"), [("hip", 5), ("cuda", 7), ("host", 7)])
def test_the_arm_that_is_compiled_is_differentiated(target: str, factor: int, head: str) -> None:
    assert f"_r * {factor}.0f" in derivative_of(head + ARMS, "k", "x, y", target).code


@pytest.mark.parametrize("target", ["hip", "cuda"])
@pytest.mark.parametrize("call", ["__shfl_down(x[0], 1)", "__shfl(x[0], 1)", "__ballot(1)"])
def test_functions_of_a_wavefront_are_refused(target: str, call: str) -> None:
    """Its width depends on the device."""
    text = f"#include <hip/hip_runtime.h>\n__global__ void k(const float *x, float *y) {{ *y = x[1] * {call}; }}\n"
    with pytest.raises(DifferentiationError, match="does not say which lanes of the warp take part"):
        derivative_of(text, "k", "x, y", target)
