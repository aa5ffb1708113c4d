"""Adjoints of tiles that are read around the thread's own place are not scattered, in blocks that fit the tile."""

from __future__ import annotations

import re

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from tests.kernels.case import Case
from tests.kernels.tile_stencils import CASES

FUNCTIONS = list({case.function: case for case in CASES}.values())
SCATTERED = re.compile(r"atomic_add\(&_d_(tile|between|p|q)\[")
# Halos of which threads read what all of them know the place of, but not who they are.
LEFT = """
__global__ void kernel(const float *x, const int *at, float *y, int n) {
  __shared__ float tile[40];
  int t = threadIdx.x;
  for (int k = t; k < 40; k += 32) tile[k] = x[blockIdx.x * 32 + k];
  __syncthreads();
  float sum = 0.0f;
  for (int j = 0; j < %s; ++j) sum += tile[%s] * tile[%s];
  y[blockIdx.x * 32 + t] = sum;
}
"""


def fallback_apart(text: str) -> str:
    """The text without the branches for blocks that do not fit."""
    out, depth, skipped = [], 0, None
    for line in text.splitlines():
        if skipped is None and re.search(r"(if \(!_fits\d*\)|\belse) \{$", line.strip()):
            skipped = depth
        if skipped is None:
            out.append(line)
        depth += line.count("{") - line.count("}")
        if skipped is not None and depth <= skipped:
            skipped = None
    return "\n".join(out)


@pytest.mark.parametrize("case", FUNCTIONS, ids=lambda case: case.function)
def test_what_fits_is_gathered(case: Case) -> None:
    text = differentiate(Source.load(str(case.path)), case.function, case.args, Options.make(), "cuda").code
    assert SCATTERED.search(text) and not SCATTERED.search(fallback_apart(text))


@pytest.mark.parametrize(
    "count, first, second", [("n", "t + j", "t"), ("5", "at[t] + j", "at[t]"), ("5", "t + j", "j")]
)
def test_what_is_left(count: str, first: str, second: str) -> None:
    source = Source.load(LEFT % (count, first, second))
    assert "_fits" not in differentiate(source, "kernel", "x, y", Options.make(), "cuda").code
