"""Which loops with barriers in them all threads of a block count through, those that have left as well as others."""

from __future__ import annotations

import pytest

from cladpy.ir import core
from cladpy.ir.walk import statements
from tests.ir.stages import gradient_of

_KERNEL = """
__global__ void k(const double *x, double *y, const int *of, int n, unsigned m, long far) {{
  __shared__ double s[64];
  const int t = threadIdx.x, half = blockDim.x / 2, i = blockIdx.x * blockDim.x + t;
  int changing = half, several[2] = {{1, 2}};
  int *seen = &changing;
  if (i >= n) return;
  s[t] = x[i];
  {loop}
  y[i] = s[0] * changing + several[0] + seen[0];
}}
"""
_STEP = "{ if (t + o < half) s[t] += s[t + o]; __syncthreads(); }"


def _loop(control: str, body: str = _STEP) -> str:
    return f"for ({control}) {body}"


COUNTED = {
    "by halves": _loop("int o = blockDim.x / 2; o > 0; o >>= 1"),
    "from a variable": _loop("int o = half; o > 0; o /= 2"),
    "by assignment": _loop("int o = half; o >= 1; o = o / 2"),
    "without a sign": _loop(
        "unsigned o = half; o; o >>= 1", "{ if (t + o < half) s[t] += s[t + o]; __syncthreads(); }"
    ),
    "until zero": _loop("int o = half; o != 0; o /= 2"),
    "from the other side": _loop("int o = half; 0 < o; o >>= 1"),
    "by doubling": _loop("int o = 1; o < blockDim.x; o <<= 1"),
    "by doubling, with the bound": _loop("unsigned o = 1; o <= blockDim.x / 4; o *= 2"),
    "by ones": _loop("int o = 0; o < n; ++o"),
    "by ones, with the bound": _loop("int o = 1; o <= 8; o++"),
    "by threads": _loop("int o = 0; o < n; o += blockDim.x"),
    "by all threads": _loop("int o = 0; o < n; o += blockDim.x * gridDim.x"),
    "by ones, down": _loop("int o = 8; o > 0; --o"),
    "by twos, down": _loop("int o = 8; o > 1; o -= 2"),
    "by ones, down, without a sign": _loop("unsigned o = m; o > 0; --o"),
    "up to a product": _loop("long o = 0; o < n * m; ++o"),
    "and others beside": _loop("unsigned o = 16, d = 1; o >= 1; o >>= 1, d <<= 1"),
    "with turns that end early": _loop(
        "int o = half; o > 0; o >>= 1", "{ if (of[o] == 3) continue; s[t] += o; __syncthreads(); }"
    ),
    "in one another": _loop(
        "int row = 0; row < n; ++row", "{ for (int o = half; o > 0; o >>= 1) { s[t] += o; __syncthreads(); } }"
    ),
}
ASKED = {
    "up to what memory says": _loop("int o = 0; o < of[0]; ++o"),
    "by what memory says": _loop("int o = 0; o < 8; o += of[0]"),
    "by what may be nothing": _loop("int o = 0; o < 8; o += n"),
    "by a number less than zero": _loop("int o = 0; o < 8; o += -1"),
    "to a bound that changes": _loop(
        "int o = 0; o < half - (int)several[0]; ++o", "{ several[0] = 3; s[t] += o; __syncthreads(); }"
    ),
    "to a variable that is assigned": "int end = 4;"
    + _loop("int o = 0; o < end; ++o", "{ end = of[0]; s[t] += o; __syncthreads(); }"),
    "to a variable that somebody points to": _loop("int o = 0; o < changing; ++o"),
    "by a counter that is assigned": _loop(
        "int o = 8; o > 0; --o", "{ if (of[o]) o = 2; s[t] += o; __syncthreads(); }"
    ),
    "that may be left": _loop("int o = 8; o > 0; --o", "{ if (of[o]) break; s[t] += o; __syncthreads(); }"),
    "from which one returns": _loop("int o = 8; o > 0; --o", "{ if (of[o]) return; s[t] += o; __syncthreads(); }"),
    "by halves of what has a sign": _loop("int o = half; o; o >>= 1"),
    "by halves, below zero": _loop("int o = half; o > -1; o >>= 1"),
    "by doubling nothing": _loop("int o = 0; o < 8; o *= 2"),
    "by doubling, up to anything": _loop("int o = 1; o < n; o *= 2"),
    "by shifting not at all": _loop("int o = half; o > 0; o >>= 0"),
    "by twos, past zero": _loop("unsigned o = m; o > 0; o -= 2"),
    "down to anything": _loop("int o = 8; o > n; --o"),
    "away from it": _loop("int o = half; o > 0; o += 1"),
    "by remainders": _loop("int o = half; o > 0; o %= 3"),
    "in a type of few bits": _loop("short o = half; o > 0; o >>= 1"),
    "by floats": _loop("float o = half; o > 0; o -= 1", "{ s[t] += o; __syncthreads(); }"),
    "by a pointer": _loop("const int *p = of; p < of + 8; ++p", "{ s[t] += *p; __syncthreads(); }"),
    "without a step": _loop("int o = half; o > 0;", "{ o /= 2; s[t] += o; __syncthreads(); }"),
    "with another condition": _loop("int o = half; o > 0 && n; --o"),
    "by a quotient": _loop("int o = half; o > 8 / n; --o"),
    "with something else beside": _loop("int o = half, d = 1; o > 0; o >>= 1, d += of[o]"),
    "with an element beside": _loop("int o = half; o > 0; o >>= 1, several[1] += 1"),
    "of the thread's own": _loop("int o = 0; o < (t >= 0 ? 4 : 4); ++o"),
}
APART = {
    "rows of threads": "int row = blockIdx.x * blockDim.y + threadIdx.y; row < n; row += gridDim.x * blockDim.y",
    "rows of groups": "int row = blockIdx.x * (blockDim.x / 8) + threadIdx.x / 8; row < n; row += 8",
    "rows by remainders": "int row = threadIdx.x % 8; row < n; row += 8",
    "rows by bits": "unsigned row = threadIdx.x & 7; row < m; row += 8",
    "rows by a factor": "int row = 4 * threadIdx.y; row <= 64; row += 4 * blockDim.y",
    "rows before zero": "int row = n + (int)threadIdx.y; row < 64; row += 2",
}
APART_ASKED = {
    "rows from the end": "int row = 8 - (int)threadIdx.y; row < n; row += 8",
    "rows before zero, without a sign": "int row = n + threadIdx.y; row < m; row += 2",
    "rows from before zero, without a sign": "unsigned row = (unsigned)n + threadIdx.y; row < m; row += 2",
    "rows by a factor of any sign": "int row = n * threadIdx.y; row < 64; row += 2",
    "rows downwards": "int row = threadIdx.y + 8; row > 0; row -= 2",
    "rows by halves": "int row = threadIdx.y + 8; row > 0; row /= 2",
    "rows by doubling": "int row = threadIdx.y + 1; row < 64; row *= 2",
    "rows by bits of any sign": "int row = threadIdx.y | 1; row < n; row += 2",
    "rows by memory": "int row = of[threadIdx.y]; row < n; row += 2",
}
_ROWS = """
__global__ void k(const double *x, double *y, const int *of, int n, unsigned m) {{
  __shared__ double s[64];
  {before}for ({control}) {{
    s[threadIdx.x] = x[row];
    __syncthreads();
    y[row] = s[0];
    __syncthreads();
  }}
  {after}
}}
"""


def _asks(text: str) -> bool:
    """Whether threads ask each other."""
    return any(
        isinstance(s, core.Barrier) and s.value is not None
        for s in statements(gradient_of(text, args="x, y").primal.body)
    )


@pytest.mark.parametrize("name", COUNTED)
def test_all_count(name: str) -> None:
    assert not _asks(_KERNEL.format(loop=COUNTED[name]))


@pytest.mark.parametrize("name", ASKED)
def test_threads_are_asked(name: str) -> None:
    assert _asks(_KERNEL.format(loop=ASKED[name]))


@pytest.mark.parametrize("name", APART)
def test_all_count_as_one_that_begins_at_the_least(name: str) -> None:
    assert not _asks(_ROWS.format(control=APART[name], before="", after=""))


@pytest.mark.parametrize("name", APART_ASKED)
def test_threads_that_begin_apart_are_asked(name: str) -> None:
    assert _asks(_ROWS.format(control=APART_ASKED[name], before="", after=""))


def test_a_counter_that_is_used_afterwards_is_each_threads_own() -> None:
    control = "row = threadIdx.y; row < n; row += 2"
    assert _asks(_ROWS.format(control=control, before="int row;", after="y[0] = row;"))
