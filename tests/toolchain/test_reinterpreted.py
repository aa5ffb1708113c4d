"""Memory that is written as one type and read as another, as nvcc lets programs do, at the effort of users' calls."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.runtime.order import host_workers
from cladpy.toolchain.discovery import find_host_compiler

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


# In the gradient thread k takes the adjoint of an element by its bits and adds to it as a number, one after the other.
BACK = """
__global__ void back(const double *a, const double *b, double *x) {
  __shared__ double s[3];
  int t = threadIdx.x;
  s[t] = b[t];
  __syncthreads();
  for (int k = 2; k >= 0; k--) {
    if (t == k) s[k] *= a[k];
    __syncthreads();
    if (t < k) s[t] -= s[k];
    __syncthreads();
  }
  x[t] = s[t];
}
"""


def test_an_adjoint_that_is_taken_and_added_to_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLADPY_HOST_FLAGS", "")
    gradient = cladpy.gradient(BACK, "back", "b, x", backend="host")
    assert gradient.derivative.keeps_types
    d_b = np.zeros(3)
    given = np.array([2.0, 3.0, 5.0]), np.ones(3), np.zeros(3)
    with host_workers(True):
        gradient.execute_kernel(1, 3, *given, d_b, np.array([1.0, 2.0, 4.0]))
    np.testing.assert_array_equal(d_b, [2.0, 0.0, 10.0])


KEPT = {
    "plain": "__global__ void f(const float *x, float *y) { y[threadIdx.x] = expf(x[threadIdx.x]); }",
    "signs": "__global__ void f(float *y, int *n) { *(unsigned *)n += 1; *y = *(const float *)y * n[0]; }",
    "base": "struct A { float a; }; struct B : A {}; __global__ void f(B *b) { static_cast<A *>(b)->a *= b->a; }",
    "one_memory": "__global__ void f(float *y) { extern __shared__ float a[]; a[9] = *y; *y *= a[9]; }",
}
RETYPED = {
    "vectors": MOVED.replace("moved", "f"),
    "reference": "__global__ void f(float *y) { y[0] = y[1] * (float &)(int &)y[2]; }",
    "bytes": "__global__ void f(float *y) { extern __shared__ char a[]; ((float *)a)[0] = *y; *y *= ((float *)a)[0]; }",
    "void": "__global__ void f(void *y) { float *x = (float *)y; *x *= *x; }",
    "in_a_function": (
        "__device__ float4 &at(float *p) { return *reinterpret_cast<float4 *>(p); }\n"
        "__global__ void f(float *x, float *y) { at(y) = at(x); *y *= x[1]; }"
    ),
    "longs": "__global__ void f(float *y, long *n) { *(long long *)n += 1; *y *= n[0]; }",
    "enumeration": "enum E { a, b }; __global__ void f(float *y, E *e) { *(int *)e = 1; if (e[0] == b) *y *= *y; }",
    "union": "union U { float a; int b; }; __global__ void f(float *y) { U u; u.a = *y; *y *= u.a; }",
    "two_types": (
        "__global__ void f(float *y) { extern __shared__ float a[]; extern __shared__ int b[]; b[9] = 2; a[0] = *y;"
        " *y *= a[0] * b[9]; }"
    ),
}


@pytest.mark.parametrize(("name", "kept"), [*((n, True) for n in KEPT), *((n, False) for n in RETYPED)])
def test_what_uses_memory_as_another_type(name: str, kept: bool) -> None:
    gradient = cladpy.gradient((KEPT | RETYPED)[name], "f", backend="host")
    assert gradient.derivative.keeps_types == kept


def test_loops_over_threads_are_ones_of_vectors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of the gradient and of the original, whatever else the program's flags are."""
    if find_host_compiler().is_clang:
        pytest.skip("another compiler says it in other words")
    said = tmp_path / "said"
    monkeypatch.setenv("CLADPY_HOST_FLAGS", f"-fopt-info-vec-optimized={said}")
    gradient = cladpy.gradient(KEPT["plain"], "f", backend="host")
    x = np.linspace(0, 1, 64, dtype=np.float32)
    with host_workers(True):
        gradient.execute_kernel(1, 64, x, np.zeros_like(x), np.zeros_like(x), np.ones_like(x))
    loops = re.findall(r"scheduler\.h:\d+:\d+: optimized: loop vectorized", said.read_text(encoding="utf-8"))
    assert len(loops) >= 2
