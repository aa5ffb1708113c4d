"""Of which tiles an iteration reads only what it has stored itself, so that the gradient loads them again."""

from __future__ import annotations

import pytest

from cladpy.analysis.tiles import with_scopes
from cladpy.ir import core
from cladpy.ir.walk import statements
from tests.ir.stages import core_of

_KERNEL = """
#define T 32
__global__ void k(const double *x, double *y, const int *of, int n, unsigned m, bool wide) {{
  __shared__ double tile[64];
  int lane = threadIdx.x, warp = threadIdx.y;
  double sum = 1;
  for (int first = 0; first < n; first += T) {{
    {store}
    __syncthreads();
    {load}
    __syncthreads();
  }}
  y[blockIdx.x * blockDim.x + lane] = sum;
}}
"""
_SUM = "sum += sin(sum) * tile[k];"
_GUARDED = "if (first + lane < n) tile[lane] = x[first + lane];"
_COUNT = "int count = min(T, n - first);"
_HALVES = "for (int o = 16; o > 0; o >>= 1) { __syncthreads(); if (lane < o) tile[lane] += tile[lane + o]; }"
_UP_TO = f"for (int k = 0; k < T && first + k < n; ++k) {_SUM}"

OWN = {
    "all of it": ("tile[lane] = x[lane];", f"for (int k = 0; k < T; ++k) {_SUM}"),
    "up to what is left": (_GUARDED, _UP_TO),
    "the smaller of two": (_GUARDED, f"for (int k = 0; k < min(T, n - first); ++k) {_SUM}"),
    "chosen": (_GUARDED, f"int c = n - first < T ? n - first : T; for (int k = 0; k < c; ++k) {_SUM}"),
    "chosen the other way": (_GUARDED, f"int c = T <= n - first ? T : n - first; for (int k = 0; k < c; ++k) {_SUM}"),
    "backwards": (_GUARDED, f"for (int k = min(T, n - first) - 1; k >= 0; --k) if (first + k < n) {_SUM}"),
    "until enough": (
        _GUARDED,
        f"bool d = false; for (int k = 0; !d && k < min(T, n - first); ++k) {{ {_SUM} d = sum > 9; }}",
    ),
    "of several warps": (
        "int r = warp * 8 + lane; if (n - 1 >= first + r) tile[r] = x[first + r];",
        _UP_TO,
    ),
    "by turns": (
        "for (int j = 0; j < 2; ++j) if (first + lane + 32 * j < n) tile[lane + 32 * j] = x[first + lane + 32 * j];",
        _UP_TO,
    ),
    "under one condition": (f"if (of[first] == 2) {{ {_GUARDED}", f"{_UP_TO} }}"),
    "one before": ("if (first + lane < n) tile[lane + 1] = x[first + lane];", _UP_TO),
    "its own": (_GUARDED, "if (first + lane < n) sum += sin(sum) * tile[lane];"),
    "its own, in turns": (
        "for (int j = 0; j < 2; ++j) { tile[lane + 32 * j] = x[j]; y[j] = sin(tile[lane + 32 * j]); }",
        f"for (int k = 0; k < 64; ++k) {_SUM}",
    ),
    "by strides": (
        f"{_COUNT} for (int j = lane; j < count; j += blockDim.x) tile[j] = x[first + j];",
        f"for (int k = 0; k < count; ++k) {_SUM}",
    ),
    "by strides, three numbers of each": (
        f"{_COUNT} for (int j = lane; j < 3 * count; j += blockDim.x) tile[j] = x[3 * first + j];",
        "for (int k = 0; k < count; ++k) sum += sin(sum) * tile[3 * k] * tile[3 * k + 1] * tile[3 * k + 2];",
    ),
    "by halves": (f"tile[lane] = x[first + lane]; {_HALVES}", _SUM.replace("[k]", "[0]")),
    "with zeros beyond": (
        "tile[lane] = first + lane < n ? x[first + lane] : 0.0;",
        f"for (int k = 0; k < T; ++k) {_SUM}",
    ),
}
LEFT = {
    "by halves, of a shorter one": (f"{_GUARDED} {_HALVES}", _SUM.replace("[k]", "[0]")),
    "by halves, of a part": (f"if (lane < 8) tile[lane] = x[first + lane]; {_HALVES}", _SUM.replace("[k]", "[0]")),
    "by halves, beside": (f"tile[lane + 1] = x[first + lane]; {_HALVES}", _SUM.replace("[k]", "[0]")),
    "by halves, before": (f"{_HALVES} tile[lane] = x[first + lane];", _SUM.replace("[k]", "[0]")),
    "all of a shorter one": (_GUARDED, f"for (int k = 0; k < T; ++k) {_SUM}"),
    "one more": (_GUARDED, f"for (int k = 0; k < T && first + k <= n; ++k) {_SUM}"),
    "the larger of two": (_GUARDED, f"for (int k = 0; k < max(T, n - first); ++k) {_SUM}"),
    "a limit of each thread": ("if (first + lane < of[lane]) tile[lane] = x[first + lane];", _UP_TO),
    "one after": ("if (first + lane < n && lane > 0) tile[lane - 1] = x[first + lane];", _UP_TO),
    "by its data": ("if (x[first + lane] > 0.5) tile[lane] = x[first + lane];", _UP_TO),
    "and by its data": ("if (first + lane < n && x[first + lane] > 0.5) tile[lane] = x[first + lane];", _UP_TO),
    "some of them": ("if (first + 2 * lane < n) tile[lane] = x[first + lane];", _UP_TO),
    "any but one": ("if (first + lane != n) tile[lane] = x[first + lane];", _UP_TO),
    "after the last": (_GUARDED, "if (first + lane < n) sum += sin(sum) * tile[lane + 1];"),
    "of an inner loop": (
        "for (int j = 0; j < 2; ++j) if (lane < n - first - j) tile[lane] = x[first + lane];",
        _UP_TO,
    ),
    "what later turns store": (
        "for (int j = 0; j < 2; ++j) { tile[lane + 32 * j] = x[j]; __syncthreads(); y[j] = sin(tile[63 - lane]); }",
        "",
    ),
    "what later turns of a shorter one store": (
        "for (int j = 0; j < 2; ++j) { if (first + lane + 32 * j < n) tile[lane + 32 * j] = x[j]; __syncthreads();"
        " if (first + lane + 32 < n) y[j] = sin(tile[lane + 32]); }",
        "",
    ),
    "what the other arm stores": (
        "if (wide) tile[lane] = x[lane]; else { sum += sin(sum) * tile[lane]; tile[lane] = x[first]; }",
        "",
    ),
    "by strides, to one less": (
        f"{_COUNT} for (int j = lane; j < count - 1; j += blockDim.x) tile[j] = x[first + j];",
        f"for (int k = 0; k < count; ++k) {_SUM}",
    ),
    "by strides, three numbers of each and one more": (
        f"{_COUNT} for (int j = lane; j < 3 * count; j += blockDim.x) tile[j] = x[3 * first + j];",
        "for (int k = 0; k < count; ++k) sum += sin(sum) * tile[3 * k] * tile[3 * k + 3];",
    ),
    "by strides, until enough": (
        f"{_COUNT} for (int j = lane; j < count && x[j] > 0.5; j += blockDim.x) tile[j] = x[first + j];",
        f"for (int k = 0; k < count; ++k) {_SUM}",
    ),
    "by strides of each iteration": (
        f"{_COUNT} for (int j = lane + first; j < count; j += blockDim.x) tile[j] = x[first + j];",
        f"for (int k = 0; k < count; ++k) {_SUM}",
    ),
    "a negative number as a large one": (_GUARDED, f"for (unsigned k = 0; k < min(32u, m - first); ++k) {_SUM}"),
    "under another condition": (f"if (of[first] == 2) {{ {_GUARDED} }}", _UP_TO),
}


def _begins_in_a_loop(store: str, load: str) -> bool:
    text = _KERNEL.format(store=store, load=load)
    function = with_scopes(core_of(text))
    loops = [s for s in statements(function.body) if isinstance(s, core.Loop)]
    return any(isinstance(s, core.Allocate) for loop in loops for s in statements(loop.body))


@pytest.mark.parametrize("name", OWN)
def test_tiles_that_are_loaded_again(name: str) -> None:
    assert _begins_in_a_loop(*OWN[name])


@pytest.mark.parametrize("name", LEFT)
def test_tiles_of_which_something_is_left(name: str) -> None:
    assert not _begins_in_a_loop(*LEFT[name])
