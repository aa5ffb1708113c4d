"""Loops, branches, switches and returns."""

from __future__ import annotations

import pytest

from tests.kernels.making import indices, real, zeros
from tests.made import Made, rows_of
from tests.oracle import Judged
from tests.peers.program import N, Program, host, kernel

PROGRAMS = (
    kernel(
        "a divisor that is a local of the loop's body",
        """double s = 0;
  for (int j = 0; j < 5; ++j) { double r = x[(i + j) % n] + 0.5 * j; s += 1.0 / (r * r * r); }
  y[i] = s;""",
    ),
    kernel(
        "a divisor that is a sum of products of a local",
        """double s = 0;
  for (int j = 0; j < 5; ++j) { double r = x[i] + j; s += 1.0 / (r * r + r); }
  y[i] = s;""",
    ),
    host(
        "divisors inside of divisors",
        "a, b",
        "double f(double a, double b) { return a / (b / (a * a + 2) + 3); }",
        0.7,
        1.9,
    ),
    host(
        "divisors inside of divisors, in a loop that changes them",
        "a, b",
        """double f(double a, double b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) { s += a / (b / (a * a + 2) + 3); a = s * b / (a + i); b /= a * a + 1; }
  return s;
}""",
        0.7,
        1.9,
        6,
    ),
    kernel(
        "pair energies with a local distance",
        """double e = 0;
  for (int j = 0; j < n; ++j) {
    if (j == i) continue;
    double d = x[i] - x[j], r2 = d * d + 0.3, r6 = 1.0 / (r2 * r2 * r2);
    e += r6 * r6 - r6;
  }
  y[i] = e;""",
    ),
    kernel(
        "a return inside of a for loop whose value depends on the counter",
        """double s = 0;
  for (int j = 0; j < 20; ++j) {
    s += x[(i + j) % n] * x[i];
    if (s > 2) { y[i] = s * x[j] * j; return; }
  }
  y[i] = s;""",
    ),
    kernel(
        "a return inside of a while loop whose value depends on the counter",
        """double s = 0;
  int j = 0;
  while (j < 20) {
    s += x[(i + j) % n] * x[i];
    if (s > 2) { y[i] = s * s * j; return; }
    j += 2;
  }
  y[i] = s * j;""",
    ),
    kernel(
        "a return inside of a do loop whose value depends on the counter",
        """double s = x[i];
  int j = 0;
  do {
    s = s * x[(i + j) % n] + 0.6;
    if (s > 1.7) { y[i] = s * x[j]; return; }
  } while (++j < 9);
  y[i] = s * s;""",
    ),
    kernel(
        "a return of a value inside of nested loops of a function",
        "y[i] = first_above(x, i, n) * x[i];",
        """__device__ double first_above(const double *x, int i, int n) {
  double s = 0;
  for (int j = 0; j < 4; ++j)
    for (int k = j; k < 6; ++k) {
      s += x[(i + j * k) % n] * x[k];
      if (s > 2.5) return s * x[k] + j;
    }
  return s * s;
}""",
    ),
    kernel(
        "a switch that updates a variable by itself",
        """double r = x[i];
  switch (i % 4) {
    case 0: r = r * r; break;
    case 1: r = r * r * r; break;
    case 2: r *= r; r = sin(r) * r; break;
    default: r = r / (r + 1);
  }
  y[i] = r * r;""",
    ),
    kernel(
        "a switch in a loop that updates a variable by itself",
        """double r = x[i];
  for (int j = 0; j < 7; ++j)
    switch ((i + j) % 3) {
      case 0: r = r * r + 0.1; break;
      case 1: r = sqrt(r) * x[i];
      case 2: r = r * (1.5 - r * 0.3);
    }
  y[i] = r;""",
    ),
    kernel("a kernel without threads that go on", "if (n > 0) return;\n  y[i] = x[i];"),
    Program(
        "a return in a branch of a function without a value",
        "x, y",
        """__device__ void halve(double *p, double x) { if (x < 0.6) return; *p = x * x * 0.5; }
__global__ void k(const double *x, double *y, int n) {
  int i = threadIdx.x;
  if (i < n) { y[i] = x[i]; halve(y + i, x[i]); }
}""",
        block=64,
        grid=1,
    ),
    Program(
        "a loop bound that is a parameter, changed in the loop",
        "x, y",
        """__device__ double grow(double x, int n) {
  double p = 1;
  for (int i = 0; i < n; ++i) { p *= x; if (i == 2) --n; }
  return p;
}
__global__ void k(const double *x, const int *m, double *y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = grow(x[i], m[i]);
}""",
        (real(N), indices(N, 9), zeros(N), N),
        1,
        64,
    ),
    host(
        "assignments in a chain to what is assigned from",
        "a",
        """double f(double a) {
  double u = a, v = a * a;
  u = v = u = u * v;
  v += u;
  double w = u * v;
  u = v = u = 0;
  return u + v + w + a * a * a;
}""",
        1.3,
    ),
    host(
        "assignments in a chain that cut what came before",
        "a, b",
        """double f(double a, double b) {
  double u, v;
  u = v = a * b;
  double w = u * v;
  u = v = w = w * u;
  return u * v + w;
}""",
        1.3,
        0.4,
    ),
    host(
        "an increment inside of the returned product",
        "a, x",
        "double f(double a, double x) { return (++a) * x; }",
        0.3,
        1.7,
    ),
    host(
        "increments whose old and new values are used",
        "a, x",
        "double f(double a, double x) { double y = a++ * x; y += --a; return y * (a -= 0.25); }",
        1.2,
        0.7,
    ),
    kernel(
        "break and continue that depend on the counter",
        """double s = 0;
  for (int j = 0; j < 12; ++j) {
    if (j % 3 == 1) continue;
    if (j > 4 + i % 5) break;
    s = s * x[j] + x[(i + j) % n];
    if (j % 4 == 3) continue;
    s *= 1 + 0.1 * j;
  }
  y[i] = s;""",
    ),
    kernel(
        "an assignment in a loop's condition",
        """double s = 0, t;
  int j = i % 4;
  while ((t = x[j] * x[i]) < 1.2 && (j += 3) < n) s += t * t;
  y[i] = s * t;""",
    ),
    kernel(
        "an active assignment in the condition of a for loop",
        """double s = x[i], t = 1;
  for (int j = 0; (s = s * 0.8 + 0.05) > 0.3; ++j) t *= s + x[j % n];
  y[i] = t;""",
    ),
    kernel(
        "a function outside of its domain whose result is not used",
        """double t = acos(-5.0 / 3.0 * x[i] - 1.0), u = log(x[i] - 9.0);
  y[i] = x[i] * x[i];
  if (x[i] > 50) y[i] = t + u;""",
    ),
    kernel(
        "elements of an array overwritten in loops",
        """double a[6];
  for (int j = 0; j < 6; ++j) a[j] = x[(i + j) % n];
  for (int k = 0; k < 3; ++k)
    for (int j = 1; j < 6; ++j) a[j] = a[j] * a[j - 1] + 0.2;
  double s = 0;
  for (int j = 0; j < 6; ++j) s += a[j] * a[5 - j];
  y[i] = s;""",
    ),
    kernel(
        "an element of an array that becomes its own square",
        """double a[2] = {x[i], 1.0};
  for (int j = 0; j < 4; ++j) { a[j & 1] = a[j & 1] * a[j & 1] + a[1 - (j & 1)]; a[0] *= 0.5; }
  y[i] = a[0] * a[1];""",
    ),
    kernel(
        "a local declared in a loop's body starts anew in each iteration",
        """double s = 0;
  for (int j = 0; j < 5; ++j) { double t = x[i] * j; double u = t; u += t * t; t = u * s; s += t + u; }
  y[i] = s;""",
    ),
    kernel(
        "an array declared in a loop's body starts anew in each iteration",
        """double s = 1;
  for (int j = 0; j < 4; ++j) { double t[2] = {}; t[j & 1] += x[i] * s; t[1] += t[0] * t[0]; s += t[0] - t[1] * 0.3; }
  y[i] = s;""",
    ),
    kernel(
        "a path that leaves before the loop whose state is kept",
        """double s = x[i];
  if (s < 0.5) { y[i] = s * s; return; }
  for (int j = 0; j < i % 7; ++j) { s = s * s * 0.7 + 0.1; if (s < 0.2) break; }
  if (s < 0.4) { y[i] = s; return; }
  for (int j = 0; j < 3; ++j) s *= s + x[j];
  y[i] = s;""",
    ),
    kernel(
        "a condition that the branch itself changes",
        """double s = x[i];
  int mode = i % 3;
  if (mode == 1) { mode = 2; s *= s; }
  if (mode == 2) { mode = 0; s = exp(-s); } else if (s > 0.5) s = s * s * s;
  y[i] = s * mode + s;""",
    ),
    kernel(
        "a counter that the body of the loop moves on",
        """double s = 1;
  for (int j = 0; j < n; ++j) { s = s * 0.9 + x[j] * x[i]; if (x[j] > 0.7) j += 2; }
  y[i] = s;""",
    ),
)


@pytest.mark.parametrize("case", rows_of("peers", PROGRAMS))
def test_gradient(case: Program, made: Made[Judged]) -> None:
    case.check(made.of(case))


@pytest.mark.parametrize("steps", [64, 65, 1000])
def test_loops_of_any_length_keep_their_state(steps: int) -> None:
    text = """__global__ void k(const double *x, double *y, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  for (int j = 0; j < steps; ++j) v = 0.7 * v + 0.3 * sin(v) * v;
  y[i] = v;
}"""
    Program("", "x, y", text, (real(N), zeros(N), N, steps)).check()
