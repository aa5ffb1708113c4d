"""Values that are parts of many others: a chain of them is looked through in a time that follows its length. There are
2^40 ways through one of these; a search that takes each does not end."""

from __future__ import annotations

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

STEPS = 40
HEAD = (
    "__global__ void k(const double *x, double *y, unsigned s, int n, bool b) {\n"
    "  int t = threadIdx.x; double v = x[t], w = x[t + 1];\n"
)
LOOP = "for (int j = 0; j < i; ++j) v = sin(v) + x[j];"
CHAINS = {  # before the chain, one step of it, after it
    "numbers": ("", "v = 0.5 * v * v;", "y[t] = v;"),
    "quotients": ("", "v = v / (v + 1);", "y[t] = v;"),
    "masks": ("", "w = (v > 0) * w * w; v = v * w;", "y[t] = v;"),
    "choices": ("", "v = b ? v * w : w * v; w = b ? w : v;", "y[t] = v + w;"),
    "extrema": ("", "v = fmax(v, w) * w; w = w > v ? w : v;", "y[t] = v + w;"),
    "clamps": ("", "v = fmin(fmax(v * w, 0.0), 1.0); w = sqrt(v) * v;", "y[t] = v + w;"),
    "numbers of lanes": ("", "v = fmax(v, __shfl_xor_sync(0xffffffffu, v, 1)); w = w * v;", "y[t] = v + w;"),
    "bits of an index": ("", "s ^= s << 13; s ^= s >> 17; s ^= s << 5;", "y[t] = x[s % n] * v;"),
    "an index": ("int i = t;", "i = i * i + i;", "y[t] = x[i] * v; y[i] = x[t];"),
    "sums of two": ("int i = t, j = n;", "i = i + j; j = i + j;", "y[i] = x[j] * v;"),
    "a wide index": ("long i = t;", "i = i * (long)(int)i + i;", "y[t] = x[i] * v;"),
    "an index within bounds": (
        "__shared__ double kept[64]; int i = t;",
        "i = (i * i + i) % 64;",
        "kept[t] = v; __syncthreads(); y[t] = kept[i] * kept[t];",
    ),
    "a bound of a loop": ("int i = t;", "i = i * (i % 7) + i;", f"{LOOP} y[t] = v;"),
    "a bound that the launch knows": ("int i = blockDim.x;", "i = i * i + i;", f"{LOOP} y[t] = v;"),
    "conditions": (
        "bool c = n > 3, d = n > t;",
        "c = c && d; d = d && (c || n < 7);",
        "if (c) y[t] = v * w; if (d) y[t + 1] = v;",
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_is_looked_through_once(name: str) -> None:
    before, step, after = CHAINS[name]
    text = f"{HEAD}{before}\n{f'  {step}{chr(10)}' * STEPS}  {after}\n}}\n"
    derivative = differentiate(Source.load(text), "k", "x, y", Options.make(), "host")
    assert "_d_x" in derivative.code
