"""What is said of loops that threads share where their iterations are run one after the other."""

from __future__ import annotations

import pytest

from cladpy.options import Options
from cladpy.pipeline import explain
from cladpy.source import Source

HEAD = """#include <math.h>
#include <vector>
void written(double *x, int i) {
  if (i > 0) {
    x[i] *= 2;
    written(x, i / 2);
  }
}
double f(const double *x, double *y, const int *at, int n) {
  double r = 0;
"""
SUM = "#pragma omp parallel for reduction(+ : r)\n"
# What the function does, and what the reasons begin with, forward and in reverse; empty where threads share the loop.
ROWS = (
    (
        SUM + "for (int i = 0; i < n; ++i) { std::vector<double> v(3); v[0] = x[i]; r += v[0] * v[0]; }",
        ["it calls what works on memory", "it calls what works on memory"],
    ),
    (
        SUM + "for (int i = 0; i < n; ++i) {\ndouble v[2] = {x[i], y[i]};\nfor (int k = 0; k < at[i]; ++k) {\n"
        "double t = v[0];\nv[0] = sin(v[1]) * t;\nv[1] = t * y[i];\ny[i] = v[0];\n}\nr += v[0] + y[i];\n}",
        ["loops in it keep what they need", "loops in it keep what they need"],
    ),
    (
        "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n#pragma omp critical\n"
        "y[at[i]] = sin(x[i] * y[at[i]]);\n}\nr = y[0] * y[1];",
        ["what an iteration stores to 'y'", "what an iteration stores to 'y'"],
    ),
    (
        "for (int k = 0; k < 3; ++k) {\n#pragma omp parallel for\n"
        "for (int i = 0; i < n; ++i) written(y + 8 * i, 3);\n}",
        ["'written_forward' keeps what it overwrites", "it calls what works on memory"],
    ),
    (
        SUM + "for (int i = 0; i < n; ++i) {\nif (x[i] > 0.5) { r += x[i] * y[i]; } else r -= x[i];\n}\nr *= r;",
        ["", ""],
    ),
)


@pytest.mark.parametrize(("body", "reasons"), ROWS)
def test_reasons(body: str, reasons: list[str]) -> None:
    text = f"{HEAD}{body}\n  return r;\n}}\n"
    report, _ = explain(Source("f.cpp", text, None), "f", "x, y", Options.make(), "host")
    found = [team.reason for function in report.functions for team in function.teams]
    assert len(found) == len(reasons)
    for reason, begins in zip(found, reasons, strict=True):
        assert reason.startswith(begins) if begins else not reason
