"""Which lanes are known to exchange through shared memory with nothing that puts them in order."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from cladpy import pipeline
from cladpy.diagnostics import DifferentiationError
from cladpy.options import Options
from cladpy.pipeline import differentiate, undifferentiated
from cladpy.source import Source

_KERNEL = """
__global__ void k(const double *x, double *y, const int *at, int n, bool wide) {{
  __shared__ double s[256];
  int t = threadIdx.x, lane = t % 32;
  s[t] = x[t];
  __syncthreads();
  {body}
  __syncthreads();
  y[t] = s[t];
}}
"""

RACES = {
    "nested": "if (t < 32) { s[t] += s[t + 32]; if (t < 16) { s[t] += s[t + 16]; } }",
    "one after the other": "if (t < 32) s[t] += s[t + 32]; if (!(t >= 16)) s[t] += s[16 + t];",
    "by lanes": "if (lane < 16) s[t] += s[t + 16]; if (lane < 8 || t == 40) s[t] += s[t + 8];",
    "by bits": "if ((t & 31) < 4 && t >> 5 == 0) s[t ^ 4] = s[t]; s[t / 2 * 2] += 1;",
    "overwritten": "double v = s[t + 1]; s[t] = v * v;",
    "a loop": "if (t < 32) for (int h = 32; h > 0; h >>= 1) s[t] += s[t + h];",
    "two loops": "for (int a = 1; a < 3; ++a) for (int b = 8; b > 0; b /= 2) if (t < b) s[t] += a * s[t + b];",
    "a long loop": "for (int h = 0; h < 64; ++h) if (t == 3) s[t] += s[t + 1]; if (t == 4) s[t] = 1;",
    "a loop by arguments": "for (int k = 0; k < n; ++k) s[t] += s[(t + 1) % 64];",
    "one for all": "if (t == 0) s[0] = x[0] * x[0]; double v = s[0]; __syncthreads(); s[t] = v;",
    "where data may say so": "if (s[t + 16] < s[t]) s[t] = s[t + 16];",
}
OF_TWO_BRANCHES = {
    "in the other branch": "if (t < 16) s[t] = x[t] * x[t]; else if (t < 32) s[t] = s[t - 16];",
    "by an argument": "if (t < n) s[t] = x[t] * x[t]; else s[t] = s[t - 1];",
}
APART = {
    "by a barrier": "if (t < 32) s[t] += s[t + 32]; __syncthreads(); if (t < 16) s[t] += s[t + 16];",
    "by lanes that wait": "if (t < 32) s[t] += s[t + 32]; __syncwarp(); if (t < 16) s[t] += s[t + 16];",
    "barriers in a loop": "s[t] += 1; for (int k = 0; k < n; ++k) __syncthreads(); double v = s[63 - t]; "
    "__syncthreads(); s[t] = v;",
    "other warps": "if (t < 32) s[t] += s[t + 32] * s[t + 64];",
    "the lane's own": "s[t] += s[t]; if (t < n) s[t] *= s[t]; if (wide) s[t] += 1;",
    "by an argument": "if (t < n) s[t] = x[t] * x[t]; if (t >= n) s[t] *= s[t + 1 + n]; ",
    "on this side": "if (t <= n) s[t] = x[t] * x[t]; if (t > n) s[t - 1 + 256] = s[t + 1];",
    "where it is wide": "if (wide) s[t] = x[t] * x[t]; if (!wide) { double v = s[t + 1]; __syncthreads(); s[t] = v; }",
    "by data": "if (at[t] > 0) { s[t] = x[t] * x[t]; if (at[t] == 1) y[t + 64] = s[t + 1]; }",
    "arrays that take turns": "__shared__ double r[256]; double *a = s, *b = r; for (int k = 0; k < n; ++k) {"
    "b[t] = a[t] * a[(t + 3) % 40]; __syncthreads(); double *c = a; a = b; b = c; }",
    "smaller blocks": "__shared__ double r[8]; r[t] = s[t]; double v = s[t + 8]; if (wide) s[t] = v;",
    "nobody": "__shared__ double r[8]; r[t - 1] = s[t]; double v = r[t - 1]; if (wide) s[t] = v;",
    "where data say": "s[at[t]] = x[t] * x[t];",
}


def _text(body: str) -> Source:
    return Source.load(_KERNEL.format(body=body))


@pytest.mark.parametrize("body", RACES.values(), ids=RACES)
def test_lanes_wait_where_they_must_be_in_step(body: str) -> None:
    assert "__syncwarp" in differentiate(_text(body), "k", "x, y", Options(), "cuda").code
    with pytest.raises(DifferentiationError) as refused:
        differentiate(_text(body), "k", "x, y", Options(), "host")
    assert {d.code for d in refused.value.diagnostics} == {"CP0274"}


@pytest.mark.parametrize("body", OF_TWO_BRANCHES.values(), ids=OF_TWO_BRANCHES)
def test_branches_are_in_no_order(body: str) -> None:
    with pytest.raises(DifferentiationError) as refused:
        differentiate(_text(body), "k", "x, y", Options(), "cuda")
    assert {d.code for d in refused.value.diagnostics} == {"CP0274"}


WRITTEN = {
    "nested": "if (t < 32) { s[t] += s[t + 32]; __syncwarp(); if (t < 16) { s[t] *= s[t + 16]; } __syncwarp();"
    "if (t < 8) s[t] *= s[t + 8]; }",
    "all at once": "if (t < 32) { s[t] *= s[t + 32]; __syncwarp(); double v = s[t + 16] * s[t]; __syncwarp(); s[t] = v;"
    "__syncwarp(); v = s[t + 8] * s[t]; __syncwarp(); s[t] = v; }",
    "a loop": "if (t < 32) for (int h = 16; h > 0; h >>= 1) { __syncwarp(); double v = s[t + h] * s[t]; __syncwarp();"
    "s[t] = v; }",
}


@pytest.mark.parametrize("body", WRITTEN.values(), ids=WRITTEN)
def test_waits_are_those_that_one_would_write(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gradient alone is run: it does not call the original."""
    monkeypatch.setattr(pipeline, "check_originals", lambda program, sink: None)
    x = np.random.default_rng(3).uniform(0.5, 1.5, 64)
    found = []
    for text in (body, body.replace("__syncwarp();", "")):
        gradient = cladpy.gradient(_KERNEL.format(body=text), "k", "x, y", backend="host")
        d_x = np.zeros(64)
        gradient.execute_kernel(1, 64, x, np.zeros(64), np.zeros(64, np.int32), 64, True, d_x, np.ones(64))
        found.append(d_x)
    np.testing.assert_allclose(found[1], found[0], rtol=1e-13)
    assert np.abs(found[0]).max() > 0


@pytest.mark.parametrize("body", APART.values(), ids=APART)
def test_what_is_apart_is_not(body: str) -> None:
    differentiate(_text(body), "k", "x, y", Options(), "host")


_PROGRAM = """
__global__ void smallest(const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) s[t] = min(s[t], s[t + 32]);
  if (t < 16) s[t] = min(s[t], s[t + 16]);
  if (t == 0) y[0] = s[0];
}
__global__ void square(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
__global__ void unsupported(double *x) {
  extern __shared__ double s[];
  s[threadIdx.x] = x[threadIdx.x];
  long double v = s[threadIdx.x];
  x[threadIdx.x] = v;
}
void step(double *x, double *y, double *z) {
  square<<<1, 64>>>(x, y);
  smallest<<<1, 64>>>(z, z);
}
void other(double *x) { unsupported<<<1, 64, 512>>>(x); }
"""


def test_the_host_refuses_kernels_that_are_launched_only() -> None:
    """Nothing is differentiated of the kernel: a GPU runs it as it runs the user's program, the host does not."""
    source = Source.load(_PROGRAM)
    differentiate(source, "step", "x, y", Options(), "cuda")
    with pytest.raises(DifferentiationError, match="CP0274"):
        differentiate(source, "step", "x, y", Options(), "host")
    for function in ("step", "smallest"):
        with pytest.raises(DifferentiationError, match="CP0274"):
            undifferentiated(source, function, "", Options())


def test_the_host_runs_what_cannot_be_looked_into() -> None:
    assert undifferentiated(Source.load(_PROGRAM), "other", "", Options()).code
