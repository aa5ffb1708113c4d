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
