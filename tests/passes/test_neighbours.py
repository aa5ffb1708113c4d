"""What is added to several numbers at a time."""

from __future__ import annotations

import re

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from tests.kernels.case import Case
from tests.kernels.neighbours import CASES, TOGETHER


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function)
def test_what_is_added_together(case: Case) -> None:
    source = Source.load(str(case.path))
    how, counts = TOGETHER[case.function]
    assert _added(differentiate(source, case.function, case.args, Options.make(), "cuda").code, how) == counts
    assert (
        max(_added(differentiate(source, case.function, case.args, Options.make(), "host").code, how), default=1) == 1
    )


APART = """
struct Pair { float *a, *b; };
struct Item { float u, v; };
struct Both { Item *first, *second; };
__global__ void k(float *const *rows, Pair p, const Both *o, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = rows[0][2] * x[i] + rows[1][3] * x[i] * x[i] + p.a[n] * x[i] + p.b[n] + o[n].first->u * x[i] + o[n].second->v;
}
"""


def test_what_different_pointers_lead_to_is_not_added_together() -> None:
    text = differentiate(Source.load(APART), "k", "rows, p, o, y", Options.make(), "cuda").code
    assert _added(text, "(?:atomic_add|reduce_add)") == (1,) * 6


def _added(text: str, how: str) -> tuple[int, ...]:
    """To how many cells each call adds."""
    calls = re.findall(rf"cladpy::{how}\((.*?)\);", text, re.DOTALL)
    return tuple(sorted(call.count("&_d_") for call in calls))
