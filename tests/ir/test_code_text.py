"""The text of generated code: what each statement looks like, and that it is the same each time."""

from __future__ import annotations

from cladpy.ir.code_text import format_code
from tests.ir.stages import gradient_of

LOOP = """__device__ double square(double x) { return x * x; }
__global__ void k(int n, double s, double *x, double *y) {
  int i = threadIdx.x;
  double a[2] = {1, 2};
  double v = x[i];
  for (int j = 0; j < n; ++j) {
    a[j % 2] *= v;
    v = sin(v) * s;
  }
  if (v > 0) atomicAdd(&y[i], a[0] * v);
  printf("%d\\n", i);
}
"""


def test_every_form() -> None:
    gradient = gradient_of(LOOP, args="s, x, y")
    text = format_code(gradient.main)
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0] == (
        "kernel k_grad(int %n, double %s, double * @x, double * @y, double * _d_s, double * d@x, double * d@y) {"
    )
    assert "tape in the workspace" in lines
    for form in (
        "array @a: double[2] zeroed",
        "array d@a: double[2] zeroed",
        "let %x_i: double = @x[%i]",
        "while (%j < %n) {",
        "// reverse sweep",
        'effect printf("%d\\n", %i)',
        "atomic d@x[%i] += ",
        "block *_d_s += %_d_s",
        "count %j.1 down from ",
        "push #0(#0.0 = ",
        "pop #0(",
        "take plain d@a[",
    ):
        assert any(form in line for line in lines), (form, text)
    assert lines[-1] == "}"


def test_pullbacks_and_the_counting_launch() -> None:
    code = """__device__ double f(const double *x, int i, double w) {
  double s = w;
  for (int j = 0; j < 4; ++j) s = s * x[i] + cos(s);
  return s;
}
__global__ void k(int *n, double *x, double *y) {
  double v = x[0];
  for (int j = 0; j < n[threadIdx.x]; ++j)
    for (int l = 0; l < 4; ++l) v = sin(v) * cos(v + x[l]);
  y[threadIdx.x] = f(x, 0, v) + f(x, 1, v);
}
"""
    gradient = gradient_of(code, args="x, y", growable=False)
    text = format_code(gradient.main)
    body, count = text.split("} count {\n")
    assert "while" in count and "_slots" in count and "result " in count
    assert "d@x" not in count
    assert "take plain d@y[" in body
    for pullback in gradient.functions[:-1]:
        assert format_code(pullback).startswith(f"pullback {pullback.name}(")
        assert f"{pullback.name}(" in body


def test_the_text_is_the_same_each_time() -> None:
    first, second = ("".join(format_code(f) for f in gradient_of(LOOP, args="s, x, y").functions) for _ in range(2))
    assert first == second
