"""The runtime API around kernels: declared for machines without CUDA, and the same program from CUDA's own headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.reading import text
from tests.frontend.test_headers import ROUTES
from tests.frontend.test_host import lines

CODE = (Path(__file__).parent / "programs" / "runtime_api.cu").read_text()


def test_every_function_is_declared_and_read() -> None:
    printed = text(CODE, "f", headers="declarations")
    unsupported = [line for line in printed.splitlines() if "unsupported" in line]
    assert unsupported == [
        "  unsupported CP0105: function pointers and indirect calls are not supported: 'void (*)(void *)'"
    ]  # of cudaLaunchHostFunc


def test_all_routes_give_the_same_program() -> None:
    printed = {route: text(CODE, "f", headers=route) for route in ROUTES}
    assert set(printed.values()) == {printed["declarations"]}


@pytest.mark.parametrize("route", ROUTES)
def test_kernels_by_their_address(route: str) -> None:
    before = """__global__ void k(double *y, double x, int n) { y[threadIdx.x] = x * n; }
template <class T> __global__ void t(T *y) { *y = 1; }"""
    statements = """void *all[] = {&p, &x, &n};
  void *one[] = {&p};
  if (cudaLaunchKernel((const void *)k, dim3(n), 32, all, n * 8, 0) != cudaSuccess) return 0;
  cudaLaunchKernel((void *)t<double>, 1, dim3(2, 3), one);
  cudaFuncSetAttribute(t<double>, cudaFuncAttributeMaxDynamicSharedMemorySize, n);
  cudaLaunchKernel((const void *)k, 1, 1, one);
  return x;"""
    assert lines(statements, before, route) == [
        "let all: void *[3] = {<void *>&p, <void *>&x, <void *>&n}",
        "let one: void *[1] = {<void *>&p}",
        "if (<int>(k<<<new dim3(<unsigned int>n, 1u, 1u), new dim3(32u, 1u, 1u), <unsigned long>(n * 8), nullptr>>>"
        "(*<double **>all[0], *<double *>all[1], *<int *>all[2]), 0u) != 0) {",
        "  return 0.0",
        "}",
        "t<double><<<new dim3(1u, 1u, 1u), new dim3(2u, 3u, 1u), 0ul>>>(*<double **>one[0])",
        "cudaFuncSetAttribute(t<double>, 8u, n)",
        "unsupported CP0199: this construct is not supported: a launch with too few arguments",
        "return x",
    ]


@pytest.mark.parametrize("route", ROUTES)
def test_streams_that_are_numbers(route: str) -> None:
    before = "__global__ void k(double *y) { *y = 1; }"
    assert lines("k<<<1, 1, 0, cudaStreamPerThread>>>(p); return x;", before, route)[0].endswith(
        "<CUstream_st *>2>>>(p)"
    )
