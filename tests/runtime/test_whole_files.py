"""The host backend compiles whole files: with helpers beside the kernel that prepare libraries, and others that the
gradient does not reach."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import DifferentiationError
from cladpy.runtime import host_order
from tests.frontend.test_headers import ROUTES

HELPERS = """
#include <cublas_v2.h>
#include <cublasLt.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#define LOW_PRECISION CUDA_R_32F
static size_t workspace_size = 32 * 1024 * 1024;
static void *workspace = NULL;
static cublasComputeType_t compute_type;
static cudaDataType_t low_precision = LOW_PRECISION;
cublasHandle_t handle;
cublasLtHandle_t lt_handle;
void check_blas(cublasStatus_t status, const char *file, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  printf("cuBLAS error %d at %s:%d\\n", status, file, line);
  exit(EXIT_FAILURE);
}
#define CHECK_BLAS(status) check_blas((status), __FILE__, __LINE__)
void set_up() {
  cudaDeviceProp properties;
  cudaSetDevice(0);
  cudaGetDeviceProperties(&properties, 0);
  CHECK_BLAS(cublasCreate(&handle));
  CHECK_BLAS(cublasLtCreate(&lt_handle));
  const int tf32 = properties.major >= 8;
  compute_type = tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  CHECK_BLAS(cublasSetMathMode(handle, tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH));
  CHECK_BLAS(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_NOT_ALLOWED));
  cudaMalloc(&workspace, workspace_size);
  CHECK_BLAS(cublasSetWorkspace(handle, workspace, workspace_size));
}
void matmul(float *out, const float *in, const float *weight, int n) {
  const float alpha = 1.0f, beta = 0.0f;
  const cublasGemmAlgo_t way = compute_type == CUBLAS_COMPUTE_16F ? CUBLAS_GEMM_DEFAULT_TENSOR_OP : CUBLAS_GEMM_DEFAULT;
  CHECK_BLAS(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &alpha, weight, LOW_PRECISION, n, in,
                          low_precision, n, &beta, out, CUDA_R_32F, n, compute_type, way));
}
void tear_down() {
  cudaFree(workspace);
  CHECK_BLAS(cublasDestroy(handle));
  CHECK_BLAS(cublasLtDestroy(lt_handle));
}
"""
KERNEL = "__global__ void k(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }\n"


@pytest.mark.parametrize("route", ROUTES)
def test_helpers_that_prepare_cublas(route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLADPY_CUDA_HEADERS", route)
    gradient = cladpy.gradient(HELPERS + KERNEL, "k", "x, y", backend="host")
    x, y, dx, dy = (
        np.array([2, 3], np.float32),
        np.zeros(2, np.float32),
        np.zeros(2, np.float32),
        np.ones(2, np.float32),
    )
    gradient.execute_kernel(1, 2, x, y, dx, dy)
    assert list(dx) == [4, 6]


def test_products_of_types_that_are_told_at_run_time_are_refused() -> None:
    with pytest.raises(DifferentiationError, match=r"nothing is known about the function 'cublasGemmEx' \[CP0224\]"):
        cladpy.gradient(HELPERS, "matmul", "in, weight", backend="host")


def test_an_alignment_may_stand_where_nvcc_takes_it() -> None:
    """Behind `__shared__`, which for g++ is a specifier that an alignment comes before."""
    text = """
__global__ void k(const double *x, double *y) {
  __shared__ alignas(16) double s[4];
  __shared__ alignas(alignof(double2)) double rows[2][2];
  int t = threadIdx.x;
  s[t] = x[t];
  rows[t / 2][t % 2] = x[t] * x[t];
  __syncthreads();
  y[t] = s[3 - t] * rows[t % 2][0];
}
"""
    d_x = np.zeros(4)
    gradient = cladpy.gradient(text, "k", "x, y", backend="host")
    gradient.execute_kernel(1, 4, np.arange(1.0, 5.0), np.zeros(4), d_x, np.ones(4))
    assert d_x.tolist() == [21, 1, 33, 1]  # of (s[3] + s[1]) x[0]^2 + (s[2] + s[0]) x[2]^2


def test_functions_that_are_to_be_inlined_wherever_they_stand() -> None:
    """Their symbols are the library's, which another might define as well."""
    program = "__attribute__((always_inline)) double cubed(double a) { return a * a * a; }\n"
    gradient = cladpy.gradient(program, "cubed", backend="host")
    with host_order("forward"):
        assert gradient.primal.execute(2.0) == 8 and gradient(2.0)["a"] == 12
