"""The conventions that docs/math.md tells of, in whole programs: the derivative of an expression at a point."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from cladpy.runtime.gradient import Gradient

INF = float("inf")
NAN = float("nan")

# An expression of x, a point, and the derivative there.
ROWS: tuple[tuple[str, float, float], ...] = (
    ("fmax(x, 0.0)", 0.0, 0.5),
    ("fmax(0.0, x)", 0.0, 0.5),
    ("std::max(x, 1.0)", 1.0, 0.5),
    ("x > 0 ? x : 0", 0.0, 0.0),
    ("x >= 0 ? x : 0", 0.0, 1.0),
    ("x > 0 ? x : 0.1 * x", 0.0, 0.1),
    ("x >= 0 ? x : 0.1 * x", 0.0, 1.0),
    ("__saturatef(x)", 0.0, 0.5),
    ("__saturatef(x)", 1.0, 0.5),
    ("fmin(fmax(x, 0.0), 1.0)", 0.0, 0.5),
    ("x < 0 ? 0 : x > 1 ? 1 : x", 0.0, 1.0),
    ("x > x * x ? x : x * x", 1.0, 1.5),
    ("x > 0 ? sqrt(x) : 0", 0.0, 0.0),
    ("fabs(x)", 0.0, 0.0),
    ("x < 0 ? -x : x", 0.0, 0.0),
    ("x > 1 ? x - 1 : 1 - x", 1.0, 0.0),
    ("x < 0 ? -1 * x : x", 0.0, 1.0),
    ("fdim(x, 1.0)", 1.0, 0.5),
    ("copysign(x, -1.0)", 0.0, 0.0),
    ("sqrt(fmax(x, 0.0))", -1.0, 0.0),
    ("sqrt(fmax(x, 0.0))", 0.0, INF),
    ("sqrt(fmax(0.0, x))", 0.0, INF),
    ("pow(fmax(x, 0.0), 1 / 2.2)", -1.0, 0.0),
    ("acos(fmin(fmax(x, -1.0), 1.0))", 1.5, 0.0),
    ("sqrt(__saturatef(x))", -1.0, 0.0),
    ("cbrt(fmax(x, 0.0))", -1.0, 0.0),
    ("sqrt(fdim(x, 0.0))", -1.0, 0.0),
    ("sqrt((x > 0) * x)", -1.0, 0.0),
    ("sqrt((x > 0 ? 1.0 : 0.0) * x)", 0.0, 0.0),
    ("sqrt(0 * x)", 1.0, 0.0),
    ("sqrt(x) * sqrt(x)", 0.0, 0.0),
    ("sqrt(x * x)", 0.0, NAN),
    ("hypot(x, 2 * x)", 0.0, 0.0),
    ("norm(1, p + i)", 0.0, 0.0),
    ("norm(1, p + i)", -1e200, -1.0),
    ("norm(1, p + i)", 1e-200, 1.0),
    ("norm(0, p + i)", -2.0, -1.0),
    ("atan2(x, x)", 0.0, 0.0),
    ("pow(x, 0.0)", 0.0, 0.0),
    ("sqrt(x)", 0.0, INF),
    ("log(x)", 0.0, INF),
    ("floor(x)", 2.0, 0.0),
    ("x > 5 ? NAN * x : x", 2.0, 1.0),
    ("exp((x > 5 ? x : -INFINITY) * x)", 2.0, 0.0),
    ("exp(x / 0.0 * fabs(x))", -2.0, 0.0),
    ("1 / (x * INFINITY)", 2.0, 0.0),
    # beside a branch that compares the same numbers
    ("(x > 0 ? x : 0) + log(1 + exp(x > 0 ? -x : x))", 0.0, 0.5),
    ("(x > 0 ? x : 0) + log(1 + exp(x < 0 ? x : -x))", 0.0, 0.5),
    ("(x > 0 ? x : 0) + log1p(exp(-fabs(x)))", 0.0, 0.5),
    ("(x >= 0 ? x : 0) + log1p(exp(-abs(x)))", 0.0, 0.5),
    ("(x >= 0 ? 1 : exp(-fabs(x))) / (1 + exp(-fabs(x)))", 0.0, 0.25),
    ("(x > 0 ? x : 0) + expm1(fmin(x, 0.0))", 0.0, 1.0),
    ("(!(x >= 0) ? x : 0) + fmax(0.0, x)", 0.0, 1.0),
    ("(x >= 1 ? 1 : x) + fdim(x, 1.0)", 1.0, 1.0),
    ("(x > 0 ? x : 0) + fabs(x)", 0.0, -1.0),
    ("(x > 0 ? x : 0) - fmax(x, 0.0)", 0.0, 0.0),
    ("(x > 1 ? x : 1) + fabs(x - 1)", 1.0, -1.0),
    ("(x > 0 && i >= 0 ? x : 0) + fabs(x)", 0.0, -1.0),
    ("(x >= 0 ? x : 0) + copysign(x, -1.0)", 0.0, 0.0),
    ("(x >= 1 || i < 0 ? 1 : x) - fmax(1 - x, 0.0)", 1.0, 0.0),
)


@pytest.fixture(scope="module")
def gradient() -> Gradient:
    """Each with a number of its own, so that none is beside another's branch."""
    start = "const int i = {}; (void)i; const double x = p[{}]; "
    lines = "".join(f"  {{ {start.format(i, i)}y[{i}] = {e}; }}\n" for i, (e, _, _) in enumerate(ROWS))
    source = (
        "#include <algorithm>\n#include <cmath>\n"
        f"__global__ void all(const double *p, double *y) {{\n  if (threadIdx.x) return;\n{lines}}}\n"
    )
    return cladpy.gradient(source, "all", "p, y", backend="host")


def test_each_expression_has_the_derivative_that_is_told(gradient: Gradient) -> None:
    points = np.array([point for _, point, _ in ROWS])
    found, ones = np.zeros(len(ROWS)), np.ones(len(ROWS))
    gradient.execute_kernel(1, 1, points, np.zeros(len(ROWS)), found, ones)
    told = np.array([derivative for _, _, derivative in ROWS])
    wrong = [(e, x, d, f) for (e, x, d), f in zip(ROWS, found, strict=True) if not np.isclose(f, d, equal_nan=True)]
    assert np.allclose(found, told, equal_nan=True), wrong
