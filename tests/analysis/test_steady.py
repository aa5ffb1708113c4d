"""Of which loops a load gives one value in all iterations."""

from __future__ import annotations

import pytest

from cladpy.analysis.steady import steady_in
from cladpy.analysis.structure import Index
from cladpy.ir import core
from cladpy.ir.walk import statements
from tests.ir.stages import core_of

_KERNEL = """
__global__ void k(const double *x, double *y, double *g, int n, int m) {{
  __shared__ double s[512];
  double own[4] = {{1, 2, 3, 4}};
  const int t = threadIdx.x, u = threadIdx.y;
  double sum = 0;
  s[t] = x[t];
  for (int i = 0; i < n; ++i) {{
    {outer}
    for (int j = t; j < m; j += blockDim.x) {{ {inner} }}
  }}
  y[t] = sum;
}}
"""

# how many loops around it, from the inside, find one value
FOUND = {
    "a sum of the block's": ("", "sum += x[j] / s[0];", 2),
    "under a condition": ("", "if (j % 3 == 1) sum += x[j] / s[1];", 2),
    "of the outer loop's turn": ("", "sum += x[j] / s[i];", 1),
    "of the inner loop's turn": ("", "sum += x[j] / s[j];", 0),
    "of an index that is made inside": ("", "int at = n - 1; sum += x[j] / s[at * 2];", 0),
    "stored in each turn of the outer loop": ("s[0] = x[i];", "sum += x[j] / s[0];", 1),
    "beside a sum": ("", "s[t] += x[j] * s[blockDim.x];", 2),
    "far beside a sum": ("", "s[t] += x[j] * s[blockDim.x + 3];", 2),
    "beside a sum of other threads": ("", "s[2 * u] += x[j] * s[2 * blockDim.y - 1];", 2),
    "beside constants": ("", "s[3] = x[j] * s[4];", 2),
    "what may be the thread's": ("", "s[t] += x[j] * s[blockDim.x - 1];", 0),
    "what may be the thread's, by a factor": ("", "s[2 * t] += x[j] * s[blockDim.x];", 0),
    "of another extent": ("", "s[t] += x[j] * s[blockDim.y];", 0),
    "beside any element": ("", "s[n] = x[j] * s[m];", 0),
    "beside an atomic sum": ("", "atomicAdd(&s[0], x[j] * s[1]);", 0),
    "what others store before all wait": ("", "s[t] += x[j] * s[blockDim.x]; __syncthreads();", 0),
    "where all wait": ("", "sum += x[j] * s[blockDim.x]; __syncthreads();", 2),
    "where lanes wait": ("", "sum += x[j] * s[blockDim.x]; __syncwarp();", 0),
    "of the thread's own, where lanes wait": ("", "sum += x[j] * own[2]; __syncwarp();", 2),
    "of the thread's own": ("", "sum += x[j] * own[1];", 2),
    "stored to the thread's own": ("own[i % 4] = x[i];", "sum += x[j] * own[1];", 1),
    "of memory that others have": ("", "sum += x[j] * g[0];", 0),
}


@pytest.mark.parametrize("name", FOUND)
def test_loops_with_one_value(name: str) -> None:
    outer, inner, count = FOUND[name]
    function = core_of(_KERNEL.format(outer=outer, inner=inner))
    index = Index.of(function, may_alias=False)
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    every = [s for s in statements(function.body) if isinstance(s, core.Load) and len(index.places[s].loops()) == 2]
    (load,) = [s for s in every if s.root.name in ("own", "g") or (s.root.name == "s" and not _sums(s, index))]
    found = steady_in(load, index, lets)
    assert [loop in found for loop in reversed(index.places[load].loops())] == [k < count for k in range(2)]


def _sums(load: core.Load, index: Index) -> bool:
    """Whether a load is that of `s[t] += ...`."""
    stores = [s for s in index.stores[load.root] if isinstance(s, core.Store)]
    return any(s.index == load.index and index.places[s].around == index.places[load].around for s in stores)
