"""Structs, lambdas, functors, templates, vector types: by value, by pointer, returned and assigned as a whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.kernels.making import real, zeros
from tests.made import Made, rows_of
from tests.oracle import Judged
from tests.peers.program import HEAD, N, Program, kernel

VEC = """struct Vec { double x, y, z; };
__device__ Vec operator*(Vec a, double s) { return {a.x * s, a.y * s, a.z * s}; }
__device__ Vec operator+(const Vec &a, const Vec &b) { Vec r = a; r.x += b.x; r.y += b.y; r.z += b.z; return r; }
__device__ double dot(const Vec &a, const Vec &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }"""
POINT = np.dtype([("x", "f8"), ("y", "f8"), ("z", "f8")])


def points(n: int) -> Any:
    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, POINT)
        for name in "xyz":
            made[name] = rng.uniform(0.2, 1.2, n)
        return made

    return make


PROGRAMS = (
    kernel(
        "a struct by value that is used again after the call",
        "Vec v = {x[i], x[(i + 1) % n], 2.0}; double a = dot(v, v); Vec w = v * a; y[i] = dot(w, v) + a * v.x;",
        VEC,
    ),
    kernel(
        "an operator that returns a struct",
        "Vec a = {x[i], 1.0, x[0]}; Vec b = a * 2.0; b = b + a * x[i]; y[i] = b.x * b.y + b.z;",
        VEC,
    ),
    Program(
        "a struct loaded from memory as a whole, and stored back",
        "p, y",
        f"""{VEC}
__global__ void k(Vec *p, double *y, int n) {{
  {HEAD}
  Vec a = p[i];
  y[i] = dot(a, a);
  p[i] = a * a.y;
  p[i].z += a.x * p[i].x;
}}""",
        (points(N), zeros(N), N),
    ),
    Program(
        "a struct of which one field is used, in memory that others use too",
        "p, y",
        f"""{VEC}
__global__ void k(const Vec *p, double *y, int n) {{ {HEAD} y[i] = p[i].x * p[(i + 1) % n].y + p[0].z; }}""",
        (points(N), zeros(N), N),
    ),
    kernel(
        "a lambda that captures by value",
        "double t = x[i]; auto f = [=](double s) { return s * t + x[0]; }; t = 3; y[i] = f(t * x[i]) * f(1);",
    ),
    kernel(
        "a lambda that captures by reference",
        "double t = x[i]; auto f = [&](double s) { t = t * s + 1; }; f(2); f(x[i]); y[i] = t * t;",
    ),
    kernel(
        "a lambda that is passed to a function",
        "y[i] = twice([&](double s) { return s * s * x[i]; }, x[i]);",
        "template <class F> __device__ double twice(F f, double s) { return f(f(s)); }",
    ),
    kernel(
        "functions that are kept, with packs of values and of types",
        """y[i] = powers<float, E::squared, 3, 4>(x[i], x) + powers<double, E::plain>(x[i], x)
       + powers<double, E::squared, 3, 4>(x[i], x) + sines(x, 1, x[i], 2.0f) + sines<double>(x, 2, x[0]);
  y[i] += powers<float, E::squared, 3, 4>(x[i], x + 1) + sines(x, 2, x[0], 2.0f);""",
        """enum class E { plain, squared };
template <class T, E e, int... Factors> __device__ double powers(T x, const double *p) {
  double s = 0, t[] = {(Factors * p[0])..., 1.0};
  for (int i = 0; i < int(sizeof...(Factors)); ++i) s += t[i] * t[i] * p[1];
  if (e == E::squared) s = s * s;
  for (int i = 0; i < 3; ++i) s = sin(s) * p[i] + p[i + 1] * s * x;
  return s;
}
template <class A, class... R> __device__ double sines(const double *p, A a, R... rest) {
  double t[] = {double(rest)..., 1.0}, s = a;
  for (int i = 0; i < int(sizeof...(rest)); ++i) s += sin(t[i]) * p[i] * t[i];
  return s * p[0] + cos(s * p[1]) * s;
}""",
    ),
    kernel(
        "a function object with state",
        "Decay d(x[i], 3); y[i] = d(x[0]) + d(0.5); d.rate = x[0]; y[i] *= d(1.0);",
        """struct Decay {
  double rate; int order = 1;
  __device__ Decay(double r, int o) : rate(r), order(o) { rate += 0.1 * order; }
  __device__ double operator()(double t) const {
    double s = 1;
    for (int j = 0; j < order; ++j) s *= exp(-rate * t);
    return s;
  }
};""",
    ),
    kernel(
        "an object that is changed by a method in a loop",
        "Sum s; for (int j = 0; j < 6; ++j) s.add(x[(i + j) % n]).add(s.mean()); y[i] = s.mean() * s.total;",
        """struct Sum {
  double total = 0; int count = 0;
  __device__ Sum &add(double v) { total += v * v; ++count; return *this; }
  __device__ double mean() const { return count ? total / count : 0.0; }
};""",
    ),
    kernel(
        "an array of structs whose elements are overwritten",
        """Pair a[3] = {{x[i], 1}, {2, x[0]}, {x[i], x[i]}};
  for (int j = 0; j < 5; ++j) { Pair &p = a[j % 3]; const Pair &q = a[(j + 1) % 3]; p.a = p.a * q.b; p.b += q.a * p.a; }
  y[i] = a[0].a + a[1].b * a[2].a;""",
        "struct Pair { double a, b; };",
    ),
    kernel(
        "a struct that is copied, and both changed",
        "Pair p = {x[i], x[0]}; Pair q = p; q.a *= p.b; p.b = q.a * q.b; p = {p.b, q.b}; y[i] = p.a * q.a + p.b;",
        "struct Pair { double a, b; };",
    ),
    kernel(
        "nested structs and a struct assigned by a branch",
        """Box b = {{x[i], x[0], 1}, {2, 3, x[i]}};
  Vec *p = i % 2 ? &b.low : &b.high;
  p->x *= x[i];
  Vec c = x[i] < 0.7 ? b.low : b.high;
  b.high = c * p->x;
  y[i] = dot(b.high, b.low) + c.z;""",
        VEC + "\nstruct Box { Vec low, high; };",
    ),
    kernel(
        "complex numbers of one's own in an iteration",
        "C z = {0, 0}, c = {x[i], x[0]}; for (int j = 0; j < 4; ++j) z = z * z + c; y[i] = z.re * z.re + z.im;",
        """struct C { double re, im; };
__device__ C operator*(C a, C b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ C operator+(C a, C b) { return {a.re + b.re, a.im + b.im}; }""",
    ),
    kernel(
        "vector types of CUDA",
        """double2 a = make_double2(x[i], x[0]);
  double4 b = make_double4(a.x, a.y, a.x * a.y, 1);
  b.w *= b.z;
  a = make_double2(b.w, a.x);
  y[i] = a.x * a.y + b.z;""",
    ),
)


@pytest.mark.parametrize("case", rows_of("peers", PROGRAMS))
def test_gradient(case: Program, made: Made[Judged]) -> None:
    case.check(made.of(case))


def test_loads_of_four_floats() -> None:
    text = f"""__global__ void k(const float4 *x, float4 *y, int n) {{
  {HEAD}
  float4 a = x[i], b = __ldg(x + (i + 1) % n);
  y[i] = make_float4(a.x * b.y, a.y * a.z, sinf(a.w), b.x);
}}"""
    values = (lambda rng: rng.uniform(0.2, 1, (N, 4)).astype("f4"), lambda rng: np.zeros((N, 4), "f4"), N)
    Program("", "x, y", text, values).check()


FUNCTOR = f"""struct Scale {{
  const double *in;
  double *out;
  __device__ void operator()(double a, int i) const {{ out[i] = a * in[i] * in[i]; }}
}};
__global__ void k(Scale scale, double a, int n) {{ {HEAD} scale(a, i); }}"""


def test_a_functor_that_holds_the_buffers() -> None:
    """The adjoint of a scalar beside it is the sum over all threads."""
    values = (lambda rng: {"in": real(N)(rng), "out": zeros(N)(rng)}, 0.7, N)
    Program("", "scale, a", FUNCTOR, values).check()


def test_a_struct_by_value_as_a_kernel_argument() -> None:
    text = f"""struct P {{ double a, b; int n; }};
__global__ void k(const double *x, double *y, P p, int n) {{ {HEAD} y[i] = p.a * x[i] + p.b * p.a * p.n; }}"""
    value = np.array(
        (0.7, 0.4, 3),
        dtype=[("a", "f8"), ("b", "f8"), ("n", "i4")],
    ).view()
    dtype = np.dtype([("a", "f8"), ("b", "f8"), ("n", "i4")], align=True)
    value = np.array((0.7, 0.4, 3), dtype)[()]
    Program("", "x, y, p", text, (real(N), zeros(N), lambda rng: value, N)).check()


def test_complex_numbers_of_the_library() -> None:
    text = """#include <complex>
double f(double x, double y) {
  std::complex<double> z(x, y), w = z * z + x;
  w *= z;
  return (w * z).real() + std::norm(w) + w.imag();
}"""
    Program("", "x, y", text, (0.7, 0.4), None, None).check()
