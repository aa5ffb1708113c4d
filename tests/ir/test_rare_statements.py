"""The verifiers and the texts on programs made of what few kernels have: steps of host programs, memory that is chosen
at run time, objects with pointers that are passed on, and atomics without a derivative."""

from __future__ import annotations

from cladpy.ir import code, core
from cladpy.ir.code_text import format_code
from cladpy.ir.core_text import format_function
from cladpy.ir.walk import statements
from tests.ir.stages import gradient_of
from tests.verified import faults_of

KERNEL = """#include <cstdio>
struct Point { double x, y; };
__device__ double deep(const double *x, int n) { return n > 0 ? x[n] * deep(x, n - 1) : 1.0; }
__device__ double doubled(Point &p) { return p.x *= 2; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void doubled_pullback(Point &p, double d, Point *d_p) { d_p->x = 2 * (d_p->x + d); }
} }
__global__ void k(const double *a, double *out, int *most, int n) {
  int i = threadIdx.x;
  atomicMax(most, i);
  if (i == 0) printf("%d\\n", n);
  Point p = {a[i], a[0]};
  out[i] = deep(a, 3);
  double twice = doubled(p);
  out[i] += twice * p.x;
  out[i] += __shfl_xor_sync(0xffffffff, a[i], 1);
}
"""
HOST = """#include <cstdio>
#include <cstring>
struct Rows { const double *at; double scale; };
__device__ double factor;
__global__ void square(Rows r, double *y) { y[threadIdx.x] = factor * r.scale * r.at[threadIdx.x] * r.at[threadIdx.x]; }
__global__ void both(double2 *y) { y[0].x *= y[0].y; }
void k(const double *x, double *y, double *work, int n) {
  double *a, *b;
  double two = 2;
  cudaMalloc(&a, n * sizeof(double));
  cudaMalloc(&b, n * sizeof(double));
  cudaMemcpy(n > 1 ? a : b, x, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(factor, &two, sizeof(double));
  square<<<1, n>>>(Rows{n > 1 ? a : b, y[0]}, b);
  both<<<1, 1>>>((double2 *)b);
  printf("%d\\n", n);
  cudaMemcpy(work, b, n * sizeof(double), cudaMemcpyDeviceToHost);
  memcpy(y, work, n * sizeof(double));
  cudaFree(a);
  cudaFree(b);
}
"""


def _is_in(kind: type[core.Statement], function: core.Function) -> bool:
    return any(isinstance(s, kind) for s in statements(function.body))


def test_kernel() -> None:
    gradient = gradient_of(KERNEL, args="a, out")
    assert faults_of(gradient) == []
    primal = gradient.main.primal
    assert all(_is_in(kind, primal) for kind in (core.Atomic, core.Effect, core.Collective))
    text = format_function(primal)
    for form in ("atomicMax @most[0] by ", 'effect printf("%d\\n", ', "call deep("):
        assert form in text, (form, text)
    generated = format_code(gradient.main)
    assert 'effect printf("%d\\n", ' in generated


def test_host() -> None:
    gradient = gradient_of(HOST, args="x, y")
    assert faults_of(gradient) == []
    primal = gradient.main.primal
    assert all(_is_in(kind, primal) for kind in (core.Acquire, core.Call, core.Effect))
    text = format_function(primal)
    for form in (
        "acquire a: device double of ",
        "locate factor_at: double of factor",
        "launch square<<<",
        "value {",
        " of {0: &@",
        "(&@b[0] as double2)",
    ):
        assert form in text, (form, text)
    assert any(isinstance(s, code.Act) for s in gradient.main.body)
    assert gradient.main.scratch
    text = format_code(gradient.main)
    for form in ("pullback square_pullback_0_1<<<", "reverse copy_pullback<double>(", " of {0: &d@a[0], 1: &d@b[0]}"):
        assert form in text, (form, text)


RARE_LOOPS = """
__device__ double deep(double *a, int n) {
  for (int j = 0; j < n; ++j) a[j % 2] = sin(a[0]) * a[1];
  double first = a[0];
  return n > 0 ? first * deep(a, n - 1) : a[1];
}
__global__ void k(const int *counts, const double *x, double *y) {
  int i = threadIdx.x;
  double v = x[i];
  for (int j = 0; j < counts[i]; ++j) v = sin(v) + __shfl_xor_sync(0xffffffff, v, 1);
  double a[2] = {v, x[i]};
  y[i] = deep(a, counts[i]);
}
"""


def test_lanes_that_leave_a_loop_and_a_recursion_that_keeps_frames() -> None:
    gradient = gradient_of(RARE_LOOPS, args="x, y")
    assert faults_of(gradient) == []
    assert "loop of lanes %_lanes {" in format_function(gradient.main.primal)
    text = "".join(map(format_code, gradient.functions))
    for form in (" in step with %_lanes {", "reserve %_slots"):
        assert form in text, (form, text)
