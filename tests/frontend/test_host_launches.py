"""Launches in host code: of templates and overloads, out of macros, in templates, in files that are included."""

from __future__ import annotations

from pathlib import Path

from tests.frontend.reading import text
from tests.frontend.test_host import lines

KERNELS = """
template <class T, int N> __global__ void scale(T *y, T a) { y[threadIdx.x] *= a * N; }
template <class T> __global__ void copy(T *y, const T *x) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void set(double *y, double v) { *y = v; }
__global__ void set(float *y, float v) { *y = v; }
namespace ns { __global__ void one(double *y) { *y = 1; } }
template <class F> __global__ void apply(double *y, F f) { *y = f(*y); }
struct Twice { __device__ double operator()(double x) const { return 2 * x; } };
template <class T> void start(T *y, int n) { copy<<<n, 32>>>(y, y); scale<T, 2><<<dim3(n, 2), n>>>(y, T(1)); }
#define LAUNCH(kernel, n, ...) kernel<<<((n) + 31) / 32, 32>>>(__VA_ARGS__)
#define CHECKED(kernel, grid, ...) do { kernel<<<grid, 32>>>(__VA_ARGS__); last(cudaGetLastError()); } while (0)
static void last(cudaError_t e) { if (e) throw e; }
"""


def test_which_kernel_is_launched() -> None:
    statements = """scale<double, 3><<<n, 32>>>(p, x); copy<<<1, 1>>>(p, p); set<<<1, 1>>>(p, 1);
  ns::one<<<1, 1>>>(p); using ns::one; one<< <1, dim3(2, 2)>> >(p); apply<<<1, 1>>>(p, Twice());
  void (*const kernel)(double *, double) = set; kernel<<<1, 1>>>(p, x); (set)<<<1, 1>>>((float *)nullptr, 2);"""
    found = lines(statements, KERNELS)
    assert [line.split("<<<")[0] for line in found] == [
        "scale<double, 3>",
        "copy<double>",
        "set",
        "ns::one",
        "ns::one",
        "apply<Twice>",
        "set",
        "set",
    ]
    assert found[2].endswith("(p, 1.0)")
    assert found[4] == "ns::one<<<new dim3(1u, 1u, 1u), new dim3(2u, 2u, 1u), 0ul>>>(p)"
    assert found[7].endswith("(nullptr, 2.0f)")


def test_launches_out_of_macros() -> None:
    found = lines("LAUNCH(set, n, p, x); CHECKED((copy<double>), n, p, p);", KERNELS)
    configuration = "<<<new dim3(<unsigned int>((n + 31) / 32), 1u, 1u), new dim3(32u, 1u, 1u), 0ul>>>"
    assert found == [
        f"set{configuration}(p, x)",
        "do {",
        "  copy<double><<<new dim3(<unsigned int>n, 1u, 1u), new dim3(32u, 1u, 1u), 0ul>>>(p, <const double *>p)",
        "  last(cudaGetLastError())",
        "} while false",
    ]


def test_templates_that_launch() -> None:
    printed = text(KERNELS + "void h(float *y) { start(y, 3); }", "h")
    assert (
        """__host__ void start<float>(y: float *, n: int) {
  copy<float><<<new dim3(<unsigned int>n, 1u, 1u), new dim3(32u, 1u, 1u), 0ul>>>(y, <const float *>y)
  scale<float, 2><<<new dim3(<unsigned int>n, 2u, 1u), new dim3(<unsigned int>n, 1u, 1u), 0ul>>>(y, 1.0f)
}"""
        in printed
    )
    assert "__global__ void scale<float, 2>(y: float *, a: float) {" in printed


def test_launches_in_files_that_are_included(tmp_path: Path) -> None:
    (tmp_path / "start.cuh").write_text(
        "__global__ void k(double *y) { *y = 2; }\ninline void start(double *y) { k<<<1, 1>>>(y); }\n"
    )
    (tmp_path / "main.cu").write_text('#include "start.cuh"\nvoid h(double *y) { start(y); }\n')
    printed = text(tmp_path / "main.cu", "h")
    assert "k<<<new dim3(1u, 1u, 1u), new dim3(1u, 1u, 1u), 0ul>>>(y)" in printed
    assert "__global__ void k(y: double *) {" in printed


SIDES = """
__device__ double factor;
__host__ __device__ double side(double x) {
#ifdef __CUDA_ARCH__
  return 3 * x;
#else
  return 2 * x;
#endif
}
__global__ void k(double *y, const double *x) {
#if __CUDA_ARCH__ >= 700
  *y = side(*x) * factor;
#endif
}
template <class T, int N> __global__ void t(T *y) {
#if __CUDA_ARCH__
  *y *= N;
#endif
}
template <class T> void start(T *y) { t<T, 4><<<1, 1>>>(y); }
void h(double *y, const double *x) {
  double s = side(x[0]);
  cudaMemcpyToSymbol(factor, &s, sizeof s);
  k<<<1, 1>>>(y, x);
  start(y);
}
"""


def test_what_differs_between_host_and_device_is_read_on_either_side() -> None:
    printed = text(SIDES, "h")
    functions = {f.splitlines()[0]: f for f in printed.split("\n\n")}
    kernel = functions["__global__ void k(y: double *, x: const double *) {"]
    assert "(*y = (side(*x) * factor))" in kernel
    assert "(*y *= 4.0)" in functions["__global__ void t<double, 4>(y: double *) {"]
    sides = [f for f in printed.split("\n\n") if f.startswith("__host__ __device__ double side(")]
    assert ["  return (2.0 * x)" in s for s in sides] == [True, False]
    assert ["  return (3.0 * x)" in s for s in sides] == [False, True]


def test_a_variable_is_one_on_both_sides() -> None:
    from cladpy.ir import surface as s
    from cladpy.ir.surface_walk import expressions, walk
    from cladpy.ir.symbols import Role
    from tests.frontend.reading import read

    program = read(SIDES, "h")
    named = {
        e.symbol
        for function in program.functions.values()
        for expression in expressions(function.body)
        for e in walk(expression)
        if isinstance(e, s.VarRef) and e.symbol.role is Role.GLOBAL
    }
    assert [symbol.name for symbol in named] == ["factor"]
