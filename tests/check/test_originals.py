"""What `cladpy check` says of originals that are wrong: they go beyond their arrays, or their threads meet."""

from __future__ import annotations

import pytest

from cladpy.check.command import run_check
from cladpy.diagnostics import BackendError
from cladpy.options import Options

BEYOND = """
struct View { const double *data; int n; };
__global__ void above(const double *x, double *y, const int *k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[k[i]] * x[i];
}
__global__ void below(const float *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i - 1] * x[i];
}
__global__ void member(View v, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = v.data[i] * v.data[i];
}
__global__ void far(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i * 100000000000ll] * x[i];
}
double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i <= n; ++i) s += x[i] * x[i];
  return s;
}
"""
CASES = [
    (
        "above",
        "x, y",
        "x=random:7 y=zeros:5 k=[0,1,2,7,4] n=5",
        "thread (3, 0, 0), element 7 of 'x' is used, which has 7",
    ),
    ("below", "x, y", "x=random:5 y=zeros:5 n=5", "thread (0, 0, 0), element -1 of 'x' is used, which has 5"),
    (
        "member",
        "v, y",
        "v.data=random:6 v.n=6 y=zeros:8",
        "thread (6, 0, 0), element 6 of 'v.data' is used, which has 6",
    ),
    ("far", "x, y", "x=random:5 y=zeros:5 n=5", "thread (1, 0, 0), memory that is in no argument is used"),
]


@pytest.mark.parametrize(("function", "args", "settings", "text"), CASES)
def test_a_kernel_that_goes_beyond_an_array(function: str, args: str, settings: str, text: str) -> None:
    with pytest.raises(BackendError) as raised:
        run_check(BEYOND, function, args, (1,), (8,), settings.split(), 0, Options.make())
    assert str(raised.value).startswith("the original fails: in block (0, 0, 0) " + text)


def test_a_host_function_that_goes_beyond_an_array() -> None:
    with pytest.raises(BackendError) as raised:
        run_check(BEYOND, "sum", "x", None, None, ["x=random:4", "n=4"], 0, Options.make())
    assert str(raised.value) == ("the original fails: in host code, element 4 of 'x' is used, which has 4 elements")


MEETING = """
__global__ void last(const double *x, double *y, const int *k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[k[i]] = x[i] * x[i];
}
__global__ void added(const double *x, double *y, const int *k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[k[i]] += x[i] * x[i];
}
__global__ void atomically(const double *x, double *y, const int *k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[k[i]], x[i] * x[i]);
}
__global__ void shared(const double *x, double *y, const int *k, int n) {
  __shared__ double s[4];
  int t = threadIdx.x;
  s[t] = x[t] * x[t] * k[t];
  if (n > 0) __syncthreads();
  if (t < 3) y[t] = s[t] * s[t + 1];
}
"""
SETTINGS = ["x=random:4", "y=zeros:3", "k=[0,1,1,2]", "n=4"]


@pytest.mark.parametrize(
    ("function", "good", "text"),
    [
        ("last", False, "at element 1 of 'y': block 0 thread 1 writes and block 0 thread 2 writes"),
        ("added", True, "at element 1 of 'y': block 0 thread 1 writes and block 0 thread 2 reads"),
        ("atomically", True, ""),
        ("shared", True, ""),
    ],
)
def test_threads_that_meet(function: str, good: bool, text: str) -> None:
    found, report = run_check(MEETING, function, "x, y", (1,), (4,), SETTINGS, 0, Options.make())
    assert found == good
    assert ("the original has a race, so that it has no derivative to compare with" in report) == (not good)
    assert (f"\n  race in the original: {text}" in report) == bool(text)


def test_shared_memory_without_a_barrier() -> None:
    settings = [*SETTINGS[:3], "n=0"]
    found, report = run_check(MEETING, "shared", "x, y", (1,), (4,), settings, 0, Options.make())
    assert not found
    assert "race in the original: in shared memory: block 0 thread 0 reads and block 0 thread 1 writes" in report


LAUNCHED = (
    MEETING
    + """
#include <cuda_runtime.h>
double run(const double *x, const int *k, int n) {
  double *y, held[3];
  cudaMalloc(&y, sizeof held);
  cudaMemset(y, 0, sizeof held);
  last<<<1, n>>>(x, y, k, n);
  cudaMemcpy(held, y, sizeof held, cudaMemcpyDeviceToHost);
  cudaFree(y);
  return held[0] + held[1] + held[2];
}
"""
)


def test_threads_of_a_program_that_meet() -> None:
    settings = ["x=random:4", "k=[0,1,1,2]", "n=4"]
    good, report = run_check(LAUNCHED, "run", "x", None, None, settings, 0, Options.make())
    assert not good
    assert report.startswith("run: the original has a race, so that it has no derivative to compare with")
    assert (
        "\n  race in the original: in global memory: block 0 thread 1 writes and block 0 thread 2 writes "
        "with no barrier between, at line 4\n" in report
    )


UNWRITTEN = """
__device__ double next(const double *a, int t) { return a[(t + 1) % 8]; }
__shared__ double all[8];
__global__ void some(const double *x, double *y, int n) {
  __shared__ double tile[8];
  int t = threadIdx.x;
  do {
    if (t < n) tile[t] = x[t] * x[t];
    else all[t] = x[t];
  } while (n < 0);
  __syncthreads();
  y[t] = next(tile, t);
  if (n == 8) y[t] += all[t];
}
__global__ void behind(const double *x, double *y) {
  extern __shared__ double rest[];
  int k = 0;
  rest[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  while (rest[threadIdx.x + 4] != 0 && k < 3) ++k;
  y[threadIdx.x] = rest[threadIdx.x] + rest[threadIdx.x + 4];
}
"""


@pytest.mark.parametrize(
    ("function", "block", "settings", "text"),
    [
        ("some", 8, "x=random:8 y=zeros:8 n=7", "element 7 of 'tile', at line 2, by block 0 thread 6"),
        ("some", 8, "x=random:8 y=zeros:8 n=8", "element 0 of 'all', at line 13, by block 0 thread 0"),
        ("behind", 4, "x=random:4 y=zeros:4", "element 4 of 'rest', at line 20, by block 0 thread 0"),
    ],
)
def test_shared_memory_that_nothing_has_written(function: str, block: int, settings: str, text: str) -> None:
    good, report = run_check(UNWRITTEN, function, "x, y", (1,), (block,), settings.split(), 0, Options.make(), 64)
    assert not good
    assert report.startswith(f"{function}: the original reads shared memory that it has not written")
    assert f"\n  not written in shared memory: {text}\n" in report


def test_values_that_are_no_numbers() -> None:
    text = "__global__ void k(const double *x, double *y) { y[threadIdx.x] = sqrt(x[threadIdx.x]); }"
    settings = ["x=[1,-1,2]", "y=zeros:3"]
    good, report = run_check(text, "k", "x, y", (1,), (3,), settings, 0, Options.make())
    assert not good
    assert report.startswith("k: the original ends in infinite values or NaN, so that there is nothing to compare with")
    assert "\n  infinite or NaN after the original: y\n" in report
