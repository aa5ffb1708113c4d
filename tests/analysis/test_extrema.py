"""What is looked for in conditions is found once, however often a value is a part of others: written out, these chains
have more operations than there is memory."""

from __future__ import annotations

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

STEPS = 60
CHAINS = {
    "integers": ("  s = (s >> 3) ^ (s * 1103515245 + 12345);\n", "(s & 1) == 0 ? a : b"),
    "flags": ("  f = (f == (a > b)) != (f && a < b);\n", "f != (a > b) ? a : b"),
    "numbers": ("  { double t = a - b; b = b - t; a = t; }\n", "a - b > b ? a - b : b"),
    "distances": ("  { double t = a > b ? a - b : b - a; b = t - b; a = t; }\n", "a > b ? a : b"),
    "maxima": ("  b = b * a; m = fmax(m, b * (m > b));\n", "m > a ? m : a"),
}


@pytest.mark.parametrize("chain", CHAINS)
def test_values_that_are_shared(chain: str) -> None:
    step, chosen = CHAINS[chain]
    text = (
        "__global__ void k(const double *x, double *y, unsigned s) {\n"
        f"  double a = x[0], b = x[1], m = 0;\n  bool f = a > b;\n{step * STEPS}"
        f"  y[0] = {chosen};\n  y[1] = f + m;\n}}\n"
    )
    derivative = differentiate(Source.load(text), "k", "x, y", Options.make(), "host")
    assert derivative.code.count("\n") < 100 * STEPS


def test_numbers_that_a_loop_begins_with() -> None:
    """They are compared with those that it comes to, each value once."""
    text = (
        f"__device__ double f(double v) {{\n{'  v = 0.5 * v * v;' * STEPS}\n  return v;\n}}\n"
        "__global__ void k(const double *x, double *y, int n) {\n  double m = f(x[threadIdx.x]);\n"
        "  for (int j = 0; j < n; ++j) m = fmax(m, f(x[j]));\n  y[threadIdx.x] = m;\n}\n"
    )
    derivative = differentiate(Source.load(text), "k", "x, y", Options.make(), "host")
    assert "_met" in derivative.code
