"""Threads of a block that work together: shared memory, barriers of every kind, shuffles."""

from __future__ import annotations

import re

import pytest

from tests.emitted.units import derivative_of
from tests.kernels.making import half, real, shaped, zeros
from tests.made import Made, rows_of
from tests.oracle import Judged
from tests.peers.program import Program
from tests.races.watched import Watched, watched_derivative

GROUPS = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
PRODUCT = """const int T = 16;
__global__ void k(const double *a, const double *b, double *c, int n) {
  __shared__ double left[T][T], right[T][T];
  int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
  double sum = 0;
  for (int t = 0; t < n; t += T) {
    left[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < T; ++j) sum += left[threadIdx.y][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}"""


def _mirrored(barrier: str, before: str = "", heads: str = "") -> str:
    """Each thread reads what another wrote before the barrier, and writes where that one reads."""
    return f"""{heads}
__global__ void k(const double *x, double *y) {{
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, last = blockDim.x - 1;
  {before}
  s[t] = x[i] * x[i];
  {barrier}
  double product = s[t] * s[last - t];
  {barrier}
  s[last - t] = product * x[i];
  {barrier}
  y[i] = s[t] + product;
}}"""


PROGRAMS = (
    Program("a tile in shared memory", "x, y", _mirrored("__syncthreads();"), (real(128), zeros(128)), 2, 64),
    Program(
        "the barrier of a cooperative group",
        "x, y",
        _mirrored("block.sync();", "cg::thread_block block = cg::this_thread_block();", GROUPS),
        (real(128), zeros(128)),
        2,
        64,
    ),
    Program("the barrier of a warp", "x, y", _mirrored("__syncwarp();"), (real(64), zeros(64)), 2, 32),
    Program(
        "the barrier of a tile of a warp",
        "x, y",
        _mirrored("tile.sync();", "auto tile = cg::tiled_partition<16>(cg::this_thread_block());", GROUPS),
        (real(64), zeros(64)),
        4,
        16,
    ),
    Program(
        "dynamic shared memory",
        "x, y",
        """extern __shared__ double s[];
__global__ void k(const double *x, double *y, int n) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.5;
  __syncthreads();
  if (i < n) y[i] = s[t] * s[(t + 1) % blockDim.x];
}""",
        (real(90), zeros(90), 90),
        2,
        48,
        48 * 8,
    ),
    Program(
        "a tree of sums in shared memory",
        "x, y",
        """__global__ void k(const double *x, double *y) {
  __shared__ double s[256];
  s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int j = blockDim.x / 2; j > 0; j >>= 1) {
    if (threadIdx.x < j) s[threadIdx.x] += s[threadIdx.x + j];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0] * s[0];
}""",
        (real(512), zeros(2)),
        2,
        256,
    ),
    Program(
        "a transposed tile",
        "x, y",
        """__global__ void k(const double *x, double *y, int n) {
  __shared__ double tile[8][9];
  tile[threadIdx.y][threadIdx.x] = x[(blockIdx.y * 8 + threadIdx.y) * n + blockIdx.x * 8 + threadIdx.x];
  __syncthreads();
  double v = tile[threadIdx.x][threadIdx.y];
  y[(blockIdx.x * 8 + threadIdx.y) * n + blockIdx.y * 8 + threadIdx.x] = v * v;
}""",
        (real(256), zeros(256), 16),
        (2, 2),
        (8, 8),
    ),
    *(
        Program(
            f"sums of a warp by shuffles, {name}",
            "x, y",
            f"""__global__ void k(const double *x, double *y) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i] * x[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_{name}_sync(0xffffffff, v, d);
  y[i] = v * x[i];
}}""",
            (real(64), zeros(64)),
        )
        for name in ("down", "xor")
    ),
    Program(
        "a shuffle that gives lanes their own values back",
        "x, y",
        """__global__ void k(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __shfl_up_sync(0xffffffff, x[i] * x[i], 3) + __shfl_down_sync(0xffffffff, x[i], 5, 8) * x[i];
}""",
        (real(64), zeros(64)),
    ),
    Program(
        "atomic additions in shared memory",
        "x, y",
        """__global__ void k(const double *x, double *y, int n) {
  __shared__ double bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[i * 7 % 4], x[i] * x[i]);
  __syncthreads();
  if (i < n) y[i] = x[i] / (1 + bins[i % 4]);
}""",
        (real(60), zeros(60), 60),
    ),
    Program(
        "a product by tiles", "a, b, c", PRODUCT, (shaped(32, 32), shaped(32, 32), zeros(1024), 32), (2, 2), (16, 16)
    ),
)


@pytest.mark.parametrize("case", rows_of("peers", PROGRAMS))
def test_gradient(case: Program, made: Made[Judged]) -> None:
    case.check(made.of(case))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.behaviour.replace(" ", "_"))
def test_no_barrier_is_missing_in_reverse(program: Program) -> None:
    watched = Watched(watched_derivative(program.text, "k", program.args))
    assert watched.report(program.grid, program.block, program.arguments(), shared_mem=program.shared_mem) == ""


def test_halves() -> None:
    text = """#include <cuda_fp16.h>
__global__ void k(const __half *x, __half *y) {
  __shared__ __half s[32];
  s[threadIdx.x] = __hmul(x[threadIdx.x], x[threadIdx.x]);
  __syncthreads();
  y[threadIdx.x] = __hadd(s[31 - threadIdx.x], s[threadIdx.x]);
}"""
    Program("halves", "x, y", text, (half(32), half(32)), 1, 32).check()


def test_adjoints_in_shared_memory_are_cleared_by_all_threads() -> None:
    code = derivative_of(PRODUCT, "k", "a, b, c", "cuda").code
    assert len(re.findall(r"cladpy::clear_shared\(", code)) == 2
    assert "threadIdx.x == 0" not in code


def test_nothing_is_allocated_on_the_device_and_tiles_are_loaded_again() -> None:
    code = derivative_of(PRODUCT, "k", "a, b, c", "cuda").code
    assert "malloc" not in code
    assert "_tape" not in code
