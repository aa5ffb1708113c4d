"""What a program may do with the numbers that a lane has of a matrix of its warp's."""

from __future__ import annotations

import pytest

from cladpy.diagnostics import DifferentiationError, Sink
from cladpy.options import Options
from cladpy.pipeline import read
from cladpy.source import Source

PROGRAM = """#include <mma.h>
using namespace nvcuda;
using Sum = wmma::fragment<wmma::accumulator, 8, 8, 4, double>;
constexpr double HALF = 0.5;
__device__ double table[2];
__device__ double gate(double v, double a) {{ double w = v; if (v < 0) w = a * exp(v); w *= 2; return w; }}
__device__ double square(double v) {{ return v * v; }}
__device__ double again(double v) {{ return square(v); }}
__device__ double looked_up(double v) {{ return v * table[0]; }}
__device__ double of_lane(double v) {{ return v * threadIdx.x; }}
__device__ double behind(const double *v) {{ return v[0]; }}
__device__ void scale(Sum &sum, double by) {{ for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= by; }}
__global__ void k(const double *x, double *y, double a, double b) {{
  Sum sum, other;
  wmma::fragment<wmma::accumulator, 8, 8, 4, float> third;
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> left;
  const double twice = 2 * a, own = x[threadIdx.x];
  double local = a;
  b += threadIdx.x;
  wmma::load_matrix_sync(sum, x, 8, wmma::mem_row_major);
  wmma::load_matrix_sync(other, x, 8, wmma::mem_row_major);
  {body}
  wmma::store_matrix_sync(y, sum, 8, wmma::mem_row_major);
}}
"""
EACH = "for (int i = 0; i < sum.num_elements; ++i) "
TAKEN = [
    EACH + "sum.x[i] = -a * sum.x[i] * other.x[i] + (double)(float)twice;",
    EACH + "{ sum.x[i] += gate(other.x[i], HALF); sum.x[i] = sum.x[i] > 0 ? sin(sum.x[i]) : blockDim.x * a; }",
    "for (int j = 0; j < 2; ++j) " + EACH + "sum.x[i] *= a;",
]
REFUSED = [
    EACH + "sum.x[i] *= threadIdx.x;",
    EACH + "sum.x[i] *= own;",
    EACH + "sum.x[i] *= local;",
    EACH + "sum.x[i] *= b;",
    EACH + "sum.x[i] *= x[i];",
    EACH + "sum.x[i] *= i;",
    EACH + "sum.x[i] = sum.x[0];",
    EACH + "sum.x[i] = third.x[i];",
    EACH + "sum.x[i] = again(sum.x[i]);",
    EACH + "sum.x[i] = looked_up(sum.x[i]);",
    EACH + "sum.x[i] = of_lane(sum.x[i]);",
    EACH + "sum.x[i] = behind(&sum.x[i]);",
    EACH + "local += sum.x[i];",
    EACH + "y[i] = sum.x[i];",
    EACH + "if (sum.x[i] > 0) a += 1;",
    EACH + "sum.x[i] = __shfl_xor_sync(~0u, sum.x[i], 1);",
    EACH + "{ sum.x[i] *= a; i += 1; }",
    "sum.x[0] *= a;",
    "for (int i = 1; i < 2; ++i) sum.x[i] *= a;",
    "for (int i = 0; i < 1; ++i) sum.x[i] *= a;",
    "for (int i = 0; i < 2; i += 2) sum.x[i] *= a;",
    "for (int j = 0; j < 2; ++j) " + EACH + "sum.x[i] = sum.x[j];",
    "scale(sum, 2.0);",
]


@pytest.mark.parametrize("body", TAKEN)
def test_what_is_done_to_all_numbers_alike(body: str) -> None:
    read(Source.load(PROGRAM.format(body=body)), "k", Options.make(), Sink())


@pytest.mark.parametrize("body", REFUSED)
def test_what_depends_on_the_lanes(body: str) -> None:
    with pytest.raises(DifferentiationError, match="it makes a difference here which numbers of a fragment a lane has"):
        read(Source.load(PROGRAM.format(body=body)), "k", Options.make(), Sink())
