"""Programs that are smooth where they are at kinks, because all of their kinks are on the side of a branch; judged as
random programs are at theirs, by `tests/sides.py`."""

from __future__ import annotations

import numpy as np
import pytest

from tests import sides
from tests.generator import GeneratedProgram
from tests.sides import check_sides

# `x` is p[k] and `z` q[k], which are the number, and `a` is another number, 0.5.
SMOOTH = (
    (0.0, "y[k] = relu(x) + tail(x);"),
    (0.0, "y[k] = relu(x) + log1p(exp(-fabs(x)));"),
    (0.0, "y[k] = relu_of(p, k) + log1p(exp(-fabs(p[k])));"),
    (0.0, "y[k] = (x > 0 ? x : 0) + tail(x);"),
    (0.0, "y[k] = positive(x) + tail(x);"),
    (0.0, "double r = 0; if (-x > 0) r = -x; y[k] = r + tail(-x) + positive(x) + log1p(exp(-fabs(-x)));"),
    (0.0, "if (x > 0 && n > 3) y[k] = x + tail(x); else y[k] = fmax(x, 0.0) + log1p(exp(-fabs(x)));"),
    (0.0, "if (x > 0 && n < 3) y[k] = x + tail(x); else y[k] = fmax(x, 0.0) + log1p(exp(-fabs(x)));"),
    (0.0, "if (n < 3 || !(x <= 0)) y[k] = x + tail(x); else y[k] = fmax(x, 0.0) + log1p(exp(-fabs(x)));"),
    (0.0, "if (k < n && p[k] > 0) y[k] = p[k] + tail(p[k]); else y[k] = fmax(p[k], 0.0) + log1p(exp(-fabs(p[k])));"),
    (0.0, "float r = z; if (z <= 0 || z > 1) r = 0; y[k] = __saturatef(z) - r + (z > 1 ? 2 : 2 * z);"),
    (1.0, "float r = 1; if (z < 1) r = fmaxf(0, z); y[k] = __saturatef(z) - r;"),
    (0.0, "double r = x; if (x < 0) r = -x; y[k] = r - copysign(x, 2.0) + copysign(x, -1.0) + fabs(x);"),
    (0.5, "double r = x - a; if (x < a) r = a - x; y[k] = r + 2 * fmin(x, a);"),
    (0.0, "y[k] = (x < 0 ? x : -x) + fabs(x) + (0 > x ? -x : x) + (-x > x ? x : -x);"),
    (0.0, "double r = 0; if (0 < -x) r = -x; y[k] = r - fmax(-x, 0.0) + r - fmax(0.0, -x);"),
    (0.0, "double r = 0; if (z > 0.0) r = z; y[k] = r + log1p(exp(-fabs(z)));"),
    (0.0, "const __half h = __float2half(z); float r = 0; if (__half2float(h) > 0) r = __half2float(h);"
          " y[k] = r + logf(1 + expf(-__half2float(__habs(h))));"),
    (0.0, "double r = x; if (x >= 0 && x <= 0) r = sin(x); y[k] = r + positive(x) + tail(x);"),
    (0.5, "double r = 0; if (x > a) r = x - a; y[k] = (x >= a ? x : a) - r;"),
    (0.5, "double r = 0; if (x >= a) r = x - a; y[k] = (n > 0 && x > a ? x : a) - r;"),
    (0.0, "y[k] = (x > 0 ? x : 0) + (x < 0 ? x : 0);"),
    (0.0, "y[k] = (x >= 0 ? x : 0) + 2 * (!(0 <= x) ? x : 0) - (x <= 0 ? x : 0);"),
    (0.0, "y[k] = (z > 0 ? z : 0) - (z < 0 ? -z : 0) + relu(-x) - relu(x);"),
    (1.0, "double r = x; if (0 < x - 1) r = 2 - x; y[k] = r + fabs(x - 1);"),
    (1.0, "double r = x; if (0 > 1 - x) r = 2 - x; y[k] = r + (1 - x > x - 1 ? 1 - x : x - 1);"),
    (0.5, "double r = 0; if (-x < -a) r = x - a; y[k] = r + log1p(exp(-fabs(x - a)));"),
    (0.5, "double r = 0; if (x > a) r = x - a; y[k] = r + log1p(exp(-distance(x, a)));"),
    (0.5, "double r = 0; if (x > a) r = x - a; y[k] = r + log1p(exp(-distance(a, x)));"),
    (0.5, "double r = x; if (n > 0 && x < a) r = a; y[k] = r + log1p(exp(-fabs(x - a)));"),
    (0.0, "const __half h = __float2half(z); float r = 0; if (__hgt(h, __float2half(0.0f))) r = __half2float(h);"
          " y[k] = r + logf(1 + expf(-__half2float(__habs(h))));"),
)  # fmt: skip
FUNCTIONS = """#include <cuda_fp16.h>
__device__ double relu(double v) { return v > 0 ? v : 0; }
__device__ double relu_of(const double *p, int i) { return p[i] > 0 ? p[i] : 0; }
__device__ double tail(double v) { return log1p(exp(-fabs(v))); }
__device__ double positive(double v) { return fmax(v, 0.0); }
__device__ double distance(double a, double b) { return a > b ? a - b : b - a; }
"""
# What is found is read again by its index, which a branch says too.
FIND = "double m = -INFINITY; int at = 0; for (int i = 0; i < n; ++i) if (x[i] > m) { m = x[i]; at = i; } "
BY_INDEX = (
    f"{FIND} y[0] = m - x[at];",
    f"{FIND} double s = 0; for (int i = 0; i < n; ++i) s += exp(x[i] - x[at]); y[1] = m + log(s);",
    f"{FIND} double s = 0; for (int i = 0; i < n; ++i) if (i != at) s += x[i]; y[2] = s + m;",
    f"{FIND} double s = 0; for (int i = 0; i < n; ++i) s += i == at ? 2 * x[i] : x[i]; y[3] = s - m;",
    "double m = x[0]; int at = 0; for (int i = 1; i < n; ++i) { at = x[i] > m ? i : at; m = fmax(m, x[i]); }"
    " y[4] = m - x[at];",
    "double m = 0; int at = 0;"
    " for (int i = 0; i < n; ++i) { const double v = x[i] * x[i]; if (v >= m) { m = v; at = i; } }"
    " y[5] = m - x[at] * x[at];",
    "double m = x[1]; int at = 1; bool seen[8] = {}; const double v = x[3];"
    " if (v >= m && n > 2) { m = v; at = 3; seen[n % 8] = true; } y[7] = m - x[at] + seen[n % 4];",
    # the sum of the three largest, which are equal: marks in memory
    "double s = 0; bool used[8] = {}; for (int r = 0; r < 3; ++r) { double m = -INFINITY; int at = 0;"
    " for (int i = 0; i < n; ++i) if (!used[i] && x[i] > m) { m = x[i]; at = i; } used[at] = true; s += m * m; }"
    " y[6] = s;",
)
EQUAL = (1.0, 3.0, 0.0, 3.0, 2.0, 3.0)


@pytest.fixture
def every_element(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "ELEMENTS", 1000)


@pytest.mark.usefixtures("every_element")
def test_smooth_by_branches() -> None:
    lines = "".join(
        f"  {{ constexpr int k = {k}; const double x = p[k], a = p[{len(SMOOTH)}]; const float z = q[k]; {body} }}\n"
        for k, (_, body) in enumerate(SMOOTH)
    )
    text = f"{FUNCTIONS}__global__ void kernel(const double *p, const float *q, double *y, int n) {{\n{lines}}}\n"
    numbers = np.array([*(number for number, _ in SMOOTH), 0.5])
    values = [numbers, numbers.astype(np.float32), np.zeros(len(SMOOTH)), len(SMOOTH)]
    program = GeneratedProgram(text, "kernel", "p, q, y", (1, 1, 1), (1, 1, 1), values, kinks=True)
    report = check_sides(program, 1)
    assert report.ok, report.text()


@pytest.mark.usefixtures("every_element")
def test_numbers_found_by_index() -> None:
    lines = "".join(f"  {{ {body} }}\n" for body in BY_INDEX)
    text = f"__global__ void kernel(const double *x, double *y, int n) {{\n{lines}}}\n"
    values = [np.array(EQUAL), np.zeros(8), len(EQUAL)]
    program = GeneratedProgram(text, "kernel", "x, y", (1, 1, 1), (1, 1, 1), values, kinks=True)
    report = check_sides(program, 1)
    assert report.ok, report.text()
