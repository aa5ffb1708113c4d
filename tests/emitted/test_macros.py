"""The user's macros say nothing in emitted code, nor in the headers that it includes behind the user's text."""

from __future__ import annotations

from pathlib import Path

import pytest

from cladpy.toolchain.build import user_flags
from tests.emitted.units import HIP, NOT_ASSEMBLED, compile_with_nvcc, compiled, derivative_of_options

# What the options define reaches cladpy's headers too, which come before the original.
GIVEN = {"N": 3, "F": 1, "Run": "nothing", "Args": "(", "_program": ")", "cell": "0.5", "adjoint": None}
_KERNEL = """
__global__ void steps(double *y, const double *x, double a, int n, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < count; ++k) s = s * a * s + cell * x[(i + k) % N];
  y[i] = s;
}
"""
_HALVES = """
#include <cuda_fp16.h>
#define update ++
#define wide (
#define exchange )
#define cell the cell
#define value 0.5f
#define T ;
__global__ void halves(__half *y, const __half *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hmul(x[i], __float2half(__half2float(x[i]) * value));
}
"""
_HOST = """
#include <cuda_runtime.h>
#define save (
#define launch )
#define tape wrong
#define begin 3
#define Launch 7
__global__ void square(double *y, const double *x) { y[threadIdx.x] *= x[threadIdx.x] * y[threadIdx.x]; }
void twice(double *y, const double *x) {
  square<<<1, 4>>>(y, x);
  square<<<1, 4>>>(y, x);
}
"""
UNITS = {
    "options": (_KERNEL, "steps", {"defines": GIVEN}),
    "halves": (_HALVES, "halves", {}),
    "host": (_HOST, "twice", {}),
    "split": (_HOST, "twice", {"split": True}),
}


@pytest.mark.parametrize("name", ["options", "host", "split"])
def test_units_for_the_host(name: str, tmp_path: Path) -> None:
    test_units(name, "host", tmp_path)


@pytest.mark.parametrize("target", ["cuda", HIP])
@pytest.mark.parametrize("name", ["options", "halves"])
def test_units(name: str, target: str, tmp_path: Path) -> None:
    """As they are emitted."""
    text, function, options = UNITS[name]
    derivative = derivative_of_options(text, function, target, **options)
    unit = tmp_path / ("unit.cpp" if target == "host" else "unit.cu")
    unit.write_text(derivative.code)
    more = user_flags((), derivative.options.defines)
    if target == "cuda":
        result = compile_with_nvcc(unit, "c++17", *more, arch=NOT_ASSEMBLED)
    else:
        result = compiled(unit, target, "c++17", *more)
    assert result, result.output


def test_the_macros_are_back_behind_it() -> None:
    """They are as they were for what includes the file, and nothing is said of those that are not in the way."""
    code = derivative_of_options(_HOST + "#define unrelated_name 1\n", "twice", "host").code
    undefined = [line for line in code.splitlines() if line.startswith("#undef")]
    again = [line for line in code.splitlines() if line.startswith("#pragma pop_macro")]
    assert len(undefined) == len(again) > 0
    assert "unrelated_name" not in "".join(undefined)
