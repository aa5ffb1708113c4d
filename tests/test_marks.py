"""Nondifferentiable marks: what they cut, against derivatives by hand."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy

PROGRAM = """
#include <cladpy/nondifferentiable.h>
#define non_differentiable __attribute__((annotate("another"), annotate("non_differentiable")))
CLADPY_NONDIFFERENTIABLE __device__ double square(double x) { return x * x; }
non_differentiable __device__ double cube(double x);
__device__ double cube(double x) { return x * x * x; }
CLADPY_NONDIFFERENTIABLE __device__ void put(double *p, double x) { *p = x * x; }
__device__ double product(double a, CLADPY_NONDIFFERENTIABLE double b) { return a * b; }
CLADPY_NONDIFFERENTIABLE __device__ double table[1];
struct Half { double free; CLADPY_NONDIFFERENTIABLE double fixed; };
struct CLADPY_NONDIFFERENTIABLE Whole {
  double v;
  __device__ double get() const { return v; }
};
struct Methods {
  double v;
  CLADPY_NONDIFFERENTIABLE __device__ double cut(double x) const { return v * x; }
};
struct Pair {
  double a, b[2];
  __device__ double sum(double x) const { return a + b[1] * x; }
  __device__ const double &at(int i) const { return b[i]; }
};
CLADPY_NONDIFFERENTIABLE __device__ Pair loaded(const Pair *p) { return *p; }
CLADPY_NONDIFFERENTIABLE __device__ void store(Pair *p, Pair q) { p[0] = q; p[1] = loaded(p); }
__device__ double by_reference(const double &a) { return a; }
__device__ double first(const Pair &p) { return p.a; }
__device__ Half half(double x) { return {x, x}; }
struct Bound {
  double &r;
  __device__ Bound(double &a) : r(a) {}
};
__global__ void kernel(const double *x, double *y, double *z) {
  EXPRESSION;
}
"""


@pytest.mark.parametrize(
    ("expression", "d_x", "d_z"),
    [
        ("*y = square(*x) * *x", 9.0, 1.0),
        ("*y = cube(*x) + *x", 1.0, 1.0),
        ("*y = square(*x + *z) * *z", 0.0, 26.0),
        ("put(z, *x); *y = *z * *x", 9.0, 0.0),
        ("*y = product(*x * 2, *x)", 6.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE double t = *x; t *= *x; *y = t * *x", 9.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE double t = *x; double u = t; *y = u * u", 0.0, 1.0),
        ("non_differentiable double t[2] = {*x, *z}; *y = (t[0] + t[1]) * *x", 5.0, 1.0),
        ("table[0] = *x; *y = table[0] * *x", 3.0, 1.0),
        ("Half h = {*x, *x}; *y = h.free * h.fixed", 3.0, 1.0),
        ("Whole w{*x}; *y = w.v * *x", 3.0, 1.0),
        ("Whole w{*x}; *y = w.get() * *x", 3.0, 1.0),
        ("switch (1) { case 1: { double u = (*z += 0, square(*x)); do { *y = u * *x; } while (false); } }", 9.0, 1.0),
        ("int i = 0; while (i++ < 1) { { Whole w{*x}; *y = (i ? w.v : *x) * *x; } }", 3.0, 1.0),
        ("Methods m{*x}; *y = m.cut(*x) * m.v", 9.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE double t = *x; *y = t++ * *x", 3.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE double t = *x; const double u = (t += 1); *y = u * -(++t) * *x", -20.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE double t = *x; *y = (*z > 5 ? t : *x) * *x", 6.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE double t = *x; *y = by_reference(*z > 5 ? t : *x) * *x", 6.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE double t = *x; auto f = [&] { return 2 * t; }; *y = f() * *x", 6.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE double t = *x; Bound r(t); for (;;) { *y = r.r * t; break; }", 3.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE const double *t = x; *y = *(*z < 5 ? t + 0 : x) * *x", 3.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE Pair t = {*x, {1, *x}}; Pair u = t; (void)t; *y = u.b[1] * *x", 3.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE Pair t = {*x, {1, *x}}; *y = t.at(1) * t.sum(*x) * *x", 63.0, 1.0),
        ("Pair t = {*x, {1, *x}}; CLADPY_NONDIFFERENTIABLE Pair u = t; *y = first(*z > 5 ? u : t) * *x", 6.0, 1.0),
        ("Pair t[2]; store(t, {*x, {1, *x}}); *y = t[0].a * t[1].b[1]", 0.0, 1.0),
        ("Pair t = {*x, {1, *x}}; *y = loaded(&t).a * *x", 3.0, 1.0),
        ("CLADPY_NONDIFFERENTIABLE double t = *x; *y = Pair{t, {1, 2}}.sum(1) * Pair{*x}.a * *x", 30.0, 1.0),
        ("*y = half(*x).fixed * square(square(*x))", 0.0, 1.0),
    ],
)
def test_no_derivative_passes(expression: str, d_x: float, d_z: float) -> None:
    if expression.startswith("*y = square(*x + *z)"):
        d_z = 25.0 + 1.0  # the cotangent of z stays
    gradient = cladpy.gradient(
        PROGRAM.replace("EXPRESSION", f"{expression}; *z = *z"), "kernel", "x, y, z", backend="host"
    )
    x, y, z = np.array([3.0]), np.array([0.0]), np.array([2.0])
    found_x, found_z = np.zeros(1), np.ones(1)
    gradient.execute_kernel(1, 1, x, y, z, found_x, np.ones(1), found_z)
    assert (found_x[0], found_z[0]) == (d_x, d_z)


def test_marked_arguments_are_not_among_all() -> None:
    program = """
    #include <cladpy/nondifferentiable.h>
    __global__ void kernel(const double *x, CLADPY_NONDIFFERENTIABLE double *t, double *y) { *y = *x * *t; }
    """
    gradient = cladpy.gradient(program, "kernel", backend="host")
    assert [a.name for a in gradient.derivative.adjoints] == ["_d_x", "_d_y"]
    assert gradient.derivative.gradient_name == "kernel_grad"


def test_marks_in_host_code() -> None:
    program = """
    #include <cladpy/nondifferentiable.h>
    #include <iostream>
    __global__ void scale(double *x, double by) { x[threadIdx.x] *= by; }
    void solve(double *x, CLADPY_NONDIFFERENTIABLE double by, double to, int n) {
      int shown = 0;
      std::cout << by << ++shown << std::endl;
      scale<<<1, n, 0, nullptr>>>(x, by);
      scale<<<1, n>>>(x, to);
    }
    """
    gradient = cladpy.gradient(program, "solve", backend="host")
    assert [a.name for a in gradient.derivative.adjoints] == ["_d_x", "_d_to"]
    x, d_x, d_to = np.array([2.0, 3.0]), np.ones(2), np.zeros(1)
    gradient.execute(x, 4.0, 5.0, 2, d_x, d_to)
    assert (d_x.tolist(), d_to[0]) == ([20.0, 20.0], 20.0)
