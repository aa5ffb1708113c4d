"""Rows that warps own: added to plainly where the launch is as the proof takes it to be, and told so."""

from __future__ import annotations

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from tests.kernels.case import HERE

FLAT = "blockDim.y == 1u && blockDim.z == 1u && gridDim.y == 1u && gridDim.z == 1u"

WHOLE = f"if ({FLAT} && (blockDim.x % 32u) == 0u)"

PREMISES = (
    ("of_block", WHOLE, True),
    ("numbered", WHOLE, True),
    ("grouped", "", False),
    ("by_fours", WHOLE, True),
    ("along_y", "blockDim.x <= 8u", True),
    ("by_parts", f"if ({FLAT} && (blockDim.x % 8u) == 0u)", True),
    ("overlapping", "", True),
    ("online", WHOLE, True),
    ("below_zero", f"if ({FLAT} && blockDim.x <= 4u)", True),
)


@pytest.mark.parametrize(("function", "premise", "atomic"), PREMISES, ids=[p[0] for p in PREMISES])
def test_premises(function: str, premise: str, atomic: bool) -> None:
    source = Source.load(str(HERE / "warp_rows.cu"))
    text = differentiate(source, function, "out, x", Options.make(), "cuda").code
    before, found, behind = text.partition(premise) if premise else ("", "", text)
    assert "_add" not in before
    assert bool(found) == bool(premise)
    assert ("blockDim.x %" in text or "blockDim.x <=" in text) == bool(premise)
    within, _, anywhere = behind.partition("  } else {\n    // forward sweep") if premise else ("", "", behind)
    assert "_add" not in within
    assert ("cladpy::atomic_add(&_d_x" in anywhere or "cladpy::add_beside(&_d_x" in anywhere) is atomic


@pytest.mark.parametrize("function", ["stored_by_all", "stored_by_parts"])
def test_one_lane_takes_what_several_store(function: str) -> None:
    source = Source.load(str(HERE / "warp_rows.cu"))
    text = differentiate(source, function, "out, x", Options.make(), "cuda").code
    assert "cladpy::exchange" in text
    assert "] = 0.0;" not in text


MORE_THAN_IT_TAKES = """
__global__ void k(double *out, const double *x, const double *z, int rows, int cols) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  double s = 0;
  for (int i = lane; i < cols; i += 32) s += x[row * cols + i] * z[thread / 48];
  atomicAdd(&out[row], s);
}
"""


def test_no_more_than_it_takes() -> None:
    text = differentiate(Source.load(MORE_THAN_IT_TAKES), "k", "out, x, z", Options.make(), "cuda").code
    assert WHOLE in text.replace("_state.grid", "gridDim")


WHAT_IS_OWNED_ANYWHERE = """
__global__ void k(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[n - 1 - i] = x[((i >> 3) << 3) + (i & 7)] * 2;
}
"""


def test_what_is_owned_anywhere_is_not_asked_for() -> None:
    text = differentiate(Source.load(WHAT_IS_OWNED_ANYWHERE), "k", "y, x", Options.make(), "cuda").code
    assert "blockDim.x %" not in text
    assert "atomic" not in text
