"""A template that launches a kernel, as CUDA's own C++ libraries hold them, keeps no other kernel from parsing."""

from __future__ import annotations

import pytest

from cladpy.diagnostics import Sink, UsageError
from cladpy.frontend import parse
from cladpy.options import Options
from cladpy.source import Source

TEXT = """
template <class T> __global__ void fill(T *x) { x[threadIdx.x] = T(0); }
template <class T> void start(T *x, dim3 grid, cudaStream_t stream) { fill<T><<<grid, 32, 0, stream>>>(x); }
__global__ void kernel(const double *x, double *y) { y[threadIdx.x] = 2.0 * x[threadIdx.x]; }
"""


@pytest.mark.parametrize("route", ["declarations", "toolkit", "packages"])
def test_templates_may_launch(route: str) -> None:
    try:
        program = parse(Source.load(TEXT), "kernel", Options.make(), Sink(), headers=route)
    except UsageError as error:
        assert "no such headers" in str(error)  # a machine without this route says so
        return
    assert program.entry.name == "kernel"
