"""Which loops of OpenMP are said to read in one iteration what another writes, and which are not."""

from __future__ import annotations

import pytest

from cladpy.diagnostics import Sink
from cladpy.frontend import parse
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.options import Options
from cladpy.order import apart
from cladpy.source import Source

HEAD = """double first(const double *p) { return p[0]; }
void f(double (*a)[16], double *x, int n, int m, const int *at) {
  int j;
"""
COLLIDING = (
    "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) x[i] += a[i][k] * x[k];",
    "for (int i = 0; i < n; ++i) for (int k = 0; k < i; ++k) { double v = x[k]; x[i] -= a[i][k] * v; }",
    "for (int i = 0; i <= 15; i++) for (int k = 0; k < 16; k++) a[i][k] = a[k][i];",
    "for (int i = 0; i < 16; i++) { for (int k = 2 * 4 - 1; k < 16; k++) x[i] += x[k]; }",
)
APART = (
    "for (int i = 0; i < 16; i++) for (int k = 0; k < i; k++) a[i][k] = a[k][i];",  # one triangle from the other
    "for (int i = 0; i < 16; i++) for (int k = 16; k < 32; k++) x[i] += x[k];",
    "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) x[i] += x[k];",  # the bounds may be apart
    "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) if (k == i) x[i] += x[k];",
    "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) x[i] += k == i ? x[k] : 0.0;",
    "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) x[i] += first(x + k);",
    "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) x[i] += x[at[k]];",
    "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) { if (k != i) continue; x[i] += x[k]; }",
    "for (int i = 0; i < n; i++) for (int k = n; k > 0; k--) x[i] += x[k];",
    "for (int i = 0; i < n; i += 2) for (int k = 1; k < n; k += 2) x[i] += x[k];",
    "for (int i = 0; i < n; i++) for (int k = at[i]; k < n; k++) x[i] += x[k];",
    "for (int i = 0; i < n; i++) for (j = 0; j < 4; j++) a[i][j] = a[i][j + 4];",
    "for (int i = 0; i < n; i++) { int k = 0; for (; k < n; k++) x[i] += x[k]; }",
    "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) for (int l = 0; l < n; l++) for (int p = 0; p < n; p++)\n"
    "for (int q = 0; q < n; q++) x[i] += x[q];",
)


def refused(loop: str) -> bool:
    source = Source("f.cpp", f"{HEAD}#pragma omp parallel for private(j)\n  {loop}\n}}\n", None)
    program = apart(parse(source, "f", Options.make(), Sink({}), target="host"))
    body = program.functions[program.entry].body
    return any(
        isinstance(e, s.Unsupported) and e.message.endswith("what one of them writes, another reads")
        for e in surface_walk.expressions(body)
    )


@pytest.mark.parametrize("loop", COLLIDING)
def test_iterations_that_surely_meet(loop: str) -> None:
    assert refused(loop)


@pytest.mark.parametrize("loop", APART)
def test_iterations_of_which_that_is_not_known(loop: str) -> None:
    assert not refused(loop)
