"""Memory, aliases, calls, and threads that meet."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from tests.emitted.units import derivative_of
from tests.kernels.making import permutation, real, single, zeros
from tests.made import Made, rows_of
from tests.oracle import Judged
from tests.peers.program import HEAD, N, Program, host, kernel

MANY = 80
PROGRAMS = (
    kernel(
        "more values changed by a function than any tracker has room for",
        f"""double a[{MANY}];
  for (int j = 0; j < {MANY}; ++j) a[j] = x[(i + j) % n];
  change(a, x[i]);
  double s = 0;
  for (int j = 0; j < {MANY}; ++j) s += a[j] * a[j] * (j + 1);
  y[i] = s;""",
        f"""__device__ void change(double *a, double t) {{
  for (int j = 0; j < {MANY}; ++j) a[j] = a[j] * a[j] + t * j;
}}""",
    ),
    Program(
        "global values changed by a function, many times over",
        "a",
        f"""__device__ void square(double *p) {{ *p = *p * *p + 0.1; }}
__global__ void k(double *a, int n) {{
  int i = threadIdx.x;
  for (int j = 0; j < {MANY}; ++j) square(a + i * {MANY} + j);
}}""",
        (real(3 * MANY), 3),
        1,
        3,
    ),
    Program(
        "one row for all rows of a matrix",
        "a, b, y",
        """__global__ void k(const double *a, const double *b, double *y, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < columns && j < rows) y[j * columns + i] = a[j * columns + i] * b[i];
}""",
        (real(42), real(7), zeros(42), 6, 7),
        (2, 2),
        (4, 4),
    ),
    Program(
        "neighbours that many threads share",
        "x, y",
        f"__global__ void k(const double *x, double *y, int n) {{ {HEAD} y[i] = x[i] * x[i + 1]; }}",
        (real(1001), zeros(1000), 1000),
        8,
        128,
    ),
    Program(
        "own elements and those of others in one buffer",
        "x, e",
        f"""__global__ void k(const double *x, double *e, int n) {{
  {HEAD}
  double s = 0;
  for (int j = 0; j < n; ++j) {{ double d = x[i] - x[j] + 2.0, q = 1.0 / (d * d * d); s += q * q - q; }}
  e[i] = s;
}}""",
    ),
    kernel("a local pointer to what all threads read", "const double *p = x; y[i] = p[3] * p[i] + (p + 1)[2];"),
    kernel(
        "a pointer that is moved on instead of an index",
        "double s = 0; for (const double *p = x + i; p < x + n; p += 3) { s = s * 0.5 + *p; } y[i] = s * x[i];",
    ),
    Program(
        "a cloud of atomic additions",
        "x, total",
        f"__global__ void k(const double *x, double *total, int n) {{ {HEAD} atomicAdd(total, x[i] * x[i]); }}",
        (real(N), zeros(1), N),
    ),
    Program(
        "a cloud of atomic additions of floats",
        "x, total",
        f"__global__ void k(const float *x, float *total, int n) {{ {HEAD} atomicAdd(total + i % 2, x[i] * x[i]); }}",
        (single(N), zeros(2, "f4"), N),
    ),
    Program(
        "an assignment to itself in place",
        "x",
        f"__global__ void k(double *x, int n) {{ {HEAD} x[i] = x[i] * x[i]; x[i] = x[i] * x[i]; }}",
        (real(N), N),
    ),
    Program(
        "fast functions of one value, several times",
        "x, y",
        f"""__global__ void k(const float *x, float *y, int n) {{
  {HEAD}
  float t = x[i];
  y[i] = rsqrtf(t) * t + rsqrtf(t) + __expf(t) * __expf(t * 0.5f) + __logf(t);
}}""",
        (single(N), zeros(N, "f4"), N),
    ),
    kernel(
        "a function that is given one pointer twice",
        "double t[1] = {x[i]}; y[i] = product(t, t) + product(x + i, x + i); twice(t, t); y[i] += t[0];",
        "__device__ double product(const double *a, const double *b) { return *a * *b; }",
        "__device__ void twice(double *a, double *b) { *a += *b * *b; *b *= *a; }",
    ),
    Program(
        "loads through the read-only cache and restricted pointers",
        "x, y",
        f"""__global__ void k(const double *__restrict__ x, double *__restrict__ y, int n) {{
  {HEAD}
  y[i] = __ldg(x + i) * __ldg(&x[(i + 1) % n]) * x[i];
}}""",
    ),
    Program(
        "a loop over the grid with an early exit",
        "x, y",
        """__global__ void k(const double *x, double *y, int n) {
  double s = 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    s *= x[i] + 0.4;
    if (s > 2.2) break;
    y[i] = s * x[i];
  }
}""",
        (real(150), zeros(150), 150),
        1,
        16,
    ),
    Program(
        "a scalar for all threads",
        "x, y, a",
        f"__global__ void k(const double *x, double *y, double a, int n) {{ {HEAD} y[i] = a * x[i]; }}",
        (real(N), zeros(N), 0.7, N),
    ),
    kernel("one element for all threads", "y[i] = x[0] * x[i];"),
    kernel(
        "an element written through an alias and read by its name",
        """double t[3] = {x[i], 2.0, 1.0};
  double *p = t + i % 2;
  *p *= x[i];
  double &r = t[0];
  r += p[1] * t[1];
  y[i] = t[0] * t[1] + *p;""",
    ),
    Program(
        "an output written through an alias and read by its name",
        "x, y",
        f"""__global__ void k(const double *x, double *y, int n) {{
  {HEAD}
  double *p = y + i;
  *p = x[i] * x[i];
  y[i] = y[i] * *p;
  *p += x[i];
}}""",
    ),
    Program(
        "an element that is overwritten by another's old value",
        "x, y",
        f"""__global__ void k(double *x, const int *to, double *y, int n) {{
  {HEAD}
  double old = y[to[i]];
  y[to[i]] = x[i] * old;
  x[i] = old * old;
}}""",
        (real(N), permutation(N), real(N), N),
    ),
    kernel(
        "an unbounded loop whose end depends on active values",
        "double v = x[i]; int steps = 0; while (v < 100) { v = v * v * 0.3 + v + 0.5; ++steps; } y[i] = v / steps;",
    ),
    Program(
        "coefficients in constant memory",
        "x, y",
        f"""__constant__ double c[4] = {{0.5, -1.25, 2.0, 0.125}};
__global__ void k(const double *x, double *y, int n) {{
  {HEAD}
  double s = 0;
  for (int j = 3; j >= 0; --j) s = s * x[i] + c[j];
  y[i] = s;
}}""",
    ),
    kernel(
        "functions that store their results and signs that are copied",
        """double s, c, whole;
  sincos(x[i] * 3, &s, &c);
  double r = norm3d(s, c, x[i]) * copysign(x[i], c);
  double part = modf(x[i] * 4.3, &whole);
  y[i] = r * part + whole * rhypot(s, r);""",
    ),
    host(
        "an argument that is written over",
        "a, b",
        "double f(double a, double b) { double s = a * b; a = s * s; b = a + b * s; s += a * b; return s * a; }",
        0.8,
        0.6,
    ),
)


@pytest.mark.parametrize("case", rows_of("peers", PROGRAMS))
def test_gradient(case: Program, made: Made[Judged]) -> None:
    case.check(made.of(case))


SQUARE = f"__global__ void k(const double *x, double *y, int n) {{ {HEAD} y[i] = x[i] * x[i]; }}"


def test_gradients_add_to_what_is_there() -> None:
    gradient = cladpy.gradient(SQUARE, "k", "x, y", backend="host")
    x, y, dx = np.linspace(0.2, 1, N), np.zeros(N), np.zeros(N)
    for times in (1, 2, 3):
        gradient.execute_kernel(2, 32, x, y, N, dx, np.ones(N))
        np.testing.assert_allclose(dx, 2 * x * times, rtol=1e-15)


def test_one_array_for_two_arguments_has_one_adjoint() -> None:
    text = f"""__global__ void k(const double *a, const double *b, double *y, int n) {{
  {HEAD}
  y[i] = a[i] * b[i] + a[i];
}}"""
    gradient = cladpy.gradient(text, "k", "a, b, y", backend="host")
    a, y, da, db = np.linspace(0.2, 1, N), np.zeros(N), np.zeros(N), np.zeros(N)
    gradient.execute_kernel(2, 32, a, a, y, N, da, db, np.ones(N))
    np.testing.assert_allclose(da + db, 2 * a + 1, rtol=1e-15)


def test_numbers_put_together_from_halves_are_constants() -> None:
    text = SQUARE.replace("x[i] * x[i]", "x[i] * __hiloint2double(0x3ff80000 + (i << 20), 0) + __int_as_float(i)")
    gradient = cladpy.gradient(text, "k", "x, y", backend="host")
    dx = np.zeros(N)
    gradient.execute_kernel(2, 32, np.ones(N), np.zeros(N), N, dx, np.ones(N))
    np.testing.assert_array_equal(dx, 1.5 * 2.0 ** np.arange(N))


def test_an_element_of_its_own_needs_no_atomic() -> None:
    code = derivative_of(SQUARE, "k", "x, y", "cuda").fragment
    assert "atomic" not in code


def test_an_element_for_all_threads_is_summed_before_it_is_added() -> None:
    text = SQUARE.replace("x[i] * x[i]", "x[0] * x[i]")
    code = derivative_of(text, "k", "x, y", "cuda").fragment
    assert "block_add(&_d_x[0]" in code


def test_no_thread_allocates_memory() -> None:
    text = f"""__global__ void k(const double *x, double *y, int n, int m) {{
  {HEAD}
  double v = x[i];
  for (int j = 0; j < m; ++j)
    for (int l = 0; l < m; ++l) v = sin(v) * cos(v + x[l]) + 1;
  y[i] = v;
}}"""
    code = derivative_of(text, "k", "x, y", "cuda").fragment
    assert "malloc" not in code
    assert "workspace" in code
