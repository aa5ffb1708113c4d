"""What a branch takes is zeroed behind the loops that follow it, where nothing that says which element changes."""

from __future__ import annotations

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

_KERNEL = """
__global__ void k(int n, int m, const int *of, const double *x, double *y, double *z) {{
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  double s = 0;
  for (int i = 0; i < m; ++i) s += x[row * m + i] * x[row * m + i];
  {store}
}}
"""
_ZERO = "_d_y[row] = 0.0;"


def _gradient(store: str, **options: str) -> str:
    text = _KERNEL.format(store=store)
    return differentiate(Source.load(text), "k", "x, y, z", Options.make(**options), "cuda").code


def _is_behind(text: str) -> bool:
    taken, _, rest = text.partition("= _d_y[row")
    loop, zero, _ = rest.partition("_d_y[row")
    assert taken and zero
    return "for (" in loop


BEHIND = {
    "under a condition": "if (m > 2) y[row] = s;",
    "one of two": "if (m > 2) y[row] = s; else z[row] = s;",
}
LEFT = {
    "at the index of its own": "if (m > 2) { int at = of[row]; if (at >= 0) y[row + at - at] = s; }",
    "taken twice": "if (m > 2) y[row] = s; if (m < 2) y[row] = s * s;",
}


@pytest.mark.parametrize("name", BEHIND)
def test_zeroed_behind(name: str) -> None:
    assert _is_behind(_gradient(BEHIND[name]))


@pytest.mark.parametrize("name", LEFT)
def test_left(name: str) -> None:
    assert not _is_behind(_gradient(LEFT[name]))


def test_what_is_consumed_is_not_zeroed() -> None:
    text = _gradient(BEHIND["under a condition"], consumed="y")
    assert "= _d_y[row]" in text and _ZERO not in text
