"""The oracle on host programs: tangents go where memory is copied, set, begun; what goes wrong is told."""

from __future__ import annotations

import numpy as np
import pytest

from cladpy.check.oracle import Oracle, TangentResult
from cladpy.diagnostics import DifferentiationError, LaunchError, Sink
from cladpy.frontend import parse
from cladpy.options import Options
from cladpy.source import Source

KERNELS = """
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
struct __attribute__((packed)) Mixed { char tag; double x; int n; float y; };
__device__ double held[4];
__global__ void square(double *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= x[threadIdx.x]; }
__global__ void store_at(double *x, int i) { x[i] = 1; }
__global__ void mixed(Mixed *m, double *x) { m->x = 3 * x[0]; m->y = float(x[1]); m->n = 7; }
"""
BEGINS = {
    "malloc": ("d = (double *)malloc(32);", "free(d);"),
    "cudaMalloc": ("cudaMalloc(&d, 32);", "cudaFree(d);"),
    "cudaMallocManaged": ("cudaMallocManaged((void **)&d, 32);", "cudaFree(d);"),
    "cudaMallocHost": ("cudaMallocHost(&d, 32);", "cudaFreeHost(d);"),
    "cudaMallocAsync": ("cudaMallocAsync(&d, 32, 0);", "cudaFreeAsync(d, 0);"),
}
# What f(x, y) does, with x and y of four numbers and tangents of x.
PROGRAMS = {
    "closed form": """
        double *d, sum = 0;
        cudaMalloc(&d, 32);
        cudaMemcpy(d, x, 32, cudaMemcpyHostToDevice);
        square<<<1, 32>>>(d, 4);
        square<<<dim3(1), dim3(8, 1)>>>(d, 4);
        cudaMemcpy(y, d, 32, cudaMemcpyDeviceToHost);
        cudaFree(d);
        for (int i = 0; i < 4; ++i) sum += y[i];
        return sum;""",
    "overlapping": "memmove(x + 1, x, 24); memcpy(y, x, 32);",
    "part": "cudaMemcpy(y + 2, x + 1, 16, cudaMemcpyDefault);",
    "rows": "cudaMemcpy2D(y, 16, x, 8, 8, 2, cudaMemcpyDefault);",
    "set": "memcpy(y, x, 32); cudaMemset(y + 1, 0, 16);",
    "set by C": "memcpy(y, x, 32); memset(y, 0, 8);",
    "rows set": "memcpy(y, x, 32); cudaMemset2D(y, 16, 0, 8, 2);",
    "realloc": """
        double *h = (double *)calloc(2, sizeof(double));
        memcpy(h, x, 16);
        h = (double *)realloc(h, 100000);
        memcpy(h + 2, h, 8);
        h[3] = 1;
        memcpy(y, h, 32);
        free(h);""",
    "symbols": """
        double *d;
        cudaMemcpyToSymbol(held, x, 24, 8);
        cudaGetSymbolAddress((void **)&d, held);
        square<<<1, 32>>>(d, 2);
        cudaMemcpyFromSymbol(y, held, 32);""",
    "packed": """
        Mixed *d, h;
        double *in;
        cudaMalloc(&d, 3 * sizeof(Mixed));
        cudaMalloc(&in, 32);
        cudaMemcpy(in, x, 32, cudaMemcpyHostToDevice);
        mixed<<<1, 1>>>(d + 1, in);
        cudaMemcpy(d + 2, d + 1, sizeof(Mixed), cudaMemcpyDeviceToDevice);
        cudaMemcpy(&h, d + 2, sizeof h, cudaMemcpyDeviceToHost);
        cudaFree(d);
        cudaFree(in);
        return h.x + h.y * h.n;""",
    "looks at errors": "square<<<0, 4>>>(x, 4); if (cudaGetLastError() != cudaSuccess) y[0] = x[0];",
    "freed": "double *d; cudaMalloc(&d, 32); cudaFree(d); square<<<1, 4>>>(d, 4);",
    "beyond": "double *d; cudaMalloc(&d, 32); store_at<<<1, 1>>>(d, 32); cudaFree(d);",
    "no block": "cudaFree(y + 1);",
    "of the host": "double h[4]; cudaMemcpy(h, x, 32, cudaMemcpyDeviceToDevice);",
    "too many": "cudaMemcpy(y, x, 40, cudaMemcpyDefault);",
    "no grid": "square<<<0, 4>>>(x, 4);",
    "freed for the host": "double *d; cudaMallocManaged(&d, 32); d[0] = 1; cudaFree(d); y[0] = d[0];",
    "null": "double *d = nullptr; if (how) d[how] = 1;",
    "throws": "throw 1;",
    "aborts": "abort();",
    **{
        name: f"for (int k = 0; k < 3; ++k) {{ double *d; {begin} if (k < 2) cudaMemcpy(d, x, 32, cudaMemcpyDefault);"
        f" else memcpy(y, d, 32); {end} }}"
        for name, (begin, end) in BEGINS.items()
    },
}
X = np.array([0.5, -2.0, 3.0, 1.5])
U = np.array([1.0, 2.0, -1.0, 0.5])


def build(body: str) -> Oracle:
    options, source = Options.make(), Source.load(f"{KERNELS}double f(double *x, double *y, int how) {{ {body} }}")
    return Oracle(parse(source, "f", options, Sink()), options, source, optimize="-O0")


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    sections = "".join(f"case {k}: {{ {text} break; }}\n" for k, text in enumerate(PROGRAMS.values()))
    return build(f"switch (how) {{ {sections} }} return 0;")


def run(oracle: Oracle, name: str) -> TangentResult:
    return oracle.tangent(None, None, [X, np.ones(4), list(PROGRAMS).index(name)], {"x": U})


def test_a_program_has_its_closed_form(oracle: Oracle) -> None:
    result = run(oracle, "closed form")
    assert result.result == pytest.approx((X**4).sum())
    assert result.result_tangent == pytest.approx((4 * X**3 * U).sum())
    np.testing.assert_allclose(result.tangents["y"].astype(float), 4 * X**3 * U)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("overlapping", [1, 1, 2, -1]),
        ("part", [0, 0, 2, -1]),
        ("rows", [1, 0, 2, 0]),
        ("set", [1, 0, 0, 0.5]),
        ("set by C", [0, 2, -1, 0.5]),
        ("rows set", [0, 2, 0, 0.5]),
        ("realloc", [1, 2, 1, 0]),
        ("symbols", [0, 1, 2, -1]),
        ("looks at errors", [1, 0, 0, 0]),
        *((name, [0, 0, 0, 0]) for name in BEGINS),
    ],
)
def test_tangents_go_with_memory(oracle: Oracle, name: str, expected: list[float]) -> None:
    found = run(oracle, name).tangents["y"]
    assert [float(t) for t in found] == expected


def test_members_at_any_address_are_copied(oracle: Oracle) -> None:
    result = run(oracle, "packed")
    assert result.result == 3 * X[0] + 7 * X[1]
    assert result.result_tangent == 3 * U[0] + 7 * U[1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("freed", "memory that has been freed"),
        ("beyond", "byte 256 of a block is used"),
        ("no block", "cudaFree: 0x"),
        ("of the host", "memory of the host where"),
        ("too many", "the caller's '[xy]' of 32 bytes"),
        ("no grid", r"invalid configuration argument: grid \(0, 1, 1\)"),
        ("freed for the host", r"in host code, memory that has been freed is used \(32 bytes from cudaMallocManaged"),
        ("null", "in host code, memory that is in no argument is used"),
        ("throws", r"line \d+: throw 1"),
        ("aborts", r"line \d+: abort\(\)"),
    ],
)
def test_what_goes_wrong_is_told(oracle: Oracle, name: str, text: str) -> None:
    with pytest.raises(LaunchError, match=f"the oracle's run of 'f' failed: .*{text}"):
        run(oracle, name)


def test_results_may_be_integers() -> None:
    options = Options.make()
    source = Source.load(f"{KERNELS}int f(double *x) {{ square<<<1, 2>>>(x, 2); return x[0] > 1 ? 3 : 4; }}")
    result = Oracle(parse(source, "f", options, Sink()), options, source).tangent(None, None, [X], {"x": U})
    assert (result.result, result.result_tangent) == (4, 0)


def test_a_function_of_the_runtime_that_is_unknown_is_refused() -> None:
    with pytest.raises(DifferentiationError, match=r"the oracle has no derivative for 'cudaConfigureCall' \[CP0901\]"):
        build("cudaConfigureCall(dim3(1), dim3(1)); return x[0];")
