"""Emitted host programs, built and linked as a program of one's own is: no library of cladpy's defines what they need.
Units of kernels are linked wherever they are compiled (`tests.emitted.units.compile_for_host`)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.emitted.units import compile_for_host, derivative_of, fragments
from tests.programs.cases import CASES


@pytest.mark.parametrize("file", ["thrust_algorithms", "device_algorithms"])
def test_host_programs(file: str, tmp_path: Path) -> None:
    """The original stands in the text of the first, with its launches as calls."""
    cases = {case.function: case for case in CASES if case.file == file and not case.refused}
    first, *others = [derivative_of(str(c.path), c.function, c.args, "host") for c in cases.values()]
    unit = tmp_path / f"{file}.cpp"
    used = f"void *first = reinterpret_cast<void *>(&{first.gradient_name});\n"
    unit.write_text(f"{first.code}\n{used}{fragments(others)}")
    result = compile_for_host(unit, "c++17", "-O0", "-I", str(next(iter(cases.values())).path.parent))
    assert result, result.output


# Wherever dynamic shared memory is declared: it is all one memory, of which the kernel uses three names.
_SHARED = """
#include <cuda_runtime.h>
#include "more.h"
namespace { ANYWHERE double hidden[];
__global__ void in_none(double *p) { ANYWHERE int other[]; hidden[threadIdx.x] = p[0]; __syncthreads();
  p[threadIdx.x] = hidden[1]; other[0] = 0; } }
namespace ops { inline namespace v1 {
template <class T> __device__ T *memory() { extern __shared__ T more[]; return more; }
template <class T> struct Of { __device__ static T get(int i) { extern __shared__ T of_class[]; return of_class[i]; } };
template <class T> __global__ void mirrored(const T *x, T *y, int n) {
  int i = threadIdx.x;
  if (i < n) memory<T>()[i] = x[i] * x[i];
  __syncthreads();
  if (i < n) y[i] = reinterpret_cast<T *>(bytes)[n - 1 - i] * Of<T>::get(i);
}
extern "C" { __global__ void in_c(double *p) { extern __shared__ double c_room[];
  auto f = [&] { extern __shared__ double in_lambda[]; return in_lambda[0]; }; c_room[0] = *p; *p = 2 * f(); } }
} }
void f(const double *x, double *y, int n) { ops::mirrored<<<1, 32, n * sizeof(double)>>>(x, y, n); }
void unread(double *p) { in_none<<<1, 4, 64>>>(p); ops::in_c<<<1, 1, 64>>>(p); }
"""
_HEADER = "#define ANYWHERE extern __shared__\nextern __shared__ __align__(16) unsigned char bytes[];\n"
# y_i = (x_j x_i)^2 with j = n - 1 - i
_MAIN = """
int main() {
  double x[] = {1, 2, 3, 4}, y[4], d_x[4] = {}, d_y[] = {1, 10, 100, 1000}, p[] = {3, 0, 0, 0};
  f(x, y, 4);
  for (int i = 0; i < 4; ++i) if (y[i] != x[i] * x[i] * x[3 - i] * x[3 - i]) return 1;
  double expected[4];
  for (int i = 0; i < 4; ++i) expected[i] = 2 * x[i] * x[3 - i] * x[3 - i] * (d_y[i] + d_y[3 - i]);
  f_grad(x, y, 4, d_x, d_y);
  for (int i = 0; i < 4; ++i) if (d_x[i] != expected[i] || d_y[i] != 0) return 2;
  unread(p);
  return p[0] == 6 && p[3] == 3 ? 0 : 3;
}
"""


def test_dynamic_shared_memory_of_the_original(tmp_path: Path) -> None:
    (tmp_path / "more.h").write_text(_HEADER)
    (tmp_path / "shared.cu").write_text(_SHARED)
    unit = tmp_path / "program.cpp"
    unit.write_text(derivative_of(str(tmp_path / "shared.cu"), "f", "", "host").code + _MAIN)
    result = compile_for_host(unit, "c++17", "-O0", "-I", str(tmp_path))
    assert result, result.output
    assert subprocess.run([unit.with_suffix(".linked")], check=False).returncode == 0


_WRITTEN_BY_HAND = """
namespace other { double g_grad; }
void g_grad(const double *x, double *y, double *_d_x, double *_d_y);
extern "C" { void f_grad(const double *x, double *y, double *_d_x, double *_d_y) { *_d_x = -*x; *_d_y = -*y; } }
namespace { struct f_grad_v1_tape {}; }
void f(const double *x, double *y) { *y = *x * *x; }
void g(const double *x, double *y) { *y = *x * *x * *x; }
"""
_CALLS_ALL = """
int main() {
  double x = 3, y = 0, d_x = 0, d_y = 1;
  f_grad_v2(&x, &y, &d_x, &d_y);
  if (d_x != 6 || d_y != 0) return 1;
  d_y = 1;
  g_grad(&x, &y, &d_x, &d_y);
  if (d_x != 33 || d_y != 0) return 2;
  f_grad(&x, &y, &d_x, &d_y);
  return d_x == -3 ? 0 : 3;
}
"""


def test_a_function_of_the_users_that_is_called_like_the_gradient(tmp_path: Path) -> None:
    path = tmp_path / "names.cu"
    path.write_text(_WRITTEN_BY_HAND)
    f, g = (derivative_of(str(path), name, "", "host") for name in "fg")
    assert [d.code for d in f.warnings] == ["CP0320"]
    assert (f.gradient_name, g.gradient_name, g.warnings) == ("f_grad_v2", "g_grad", ())
    unit = tmp_path / "program.cpp"
    unit.write_text(f.code + g.fragment + _CALLS_ALL)
    result = compile_for_host(unit, "c++17", "-O0", "-I", str(tmp_path), "-Wno-unused")
    assert result, result.output
    assert subprocess.run([unit.with_suffix(".linked")], check=False).returncode == 0


@pytest.mark.parametrize(
    ("file", "function", "args"),
    [
        ("columns", "columns", "out, x"),
        ("gathered_places", "by_thread", "x, y"),
        ("recurrences", "heston", ""),
    ],
)
def test_functions_of_the_users_that_are_called_as_what_is_emitted_beside(
    file: str, function: str, args: str, tmp_path: Path
) -> None:
    original = Path(__file__).parents[1] / "kernels" / f"{file}.cu"
    plain = derivative_of(str(original), function, args, "cuda")
    name = plain.gradient_name
    beside = {m for m in re.findall(rf"\b{name}_\w+", plain.code) if not m.endswith("_pullbacks")}
    assert f"{name}_launch" in beside
    for taken in beside:
        path = tmp_path / f"{taken}.cu"
        path.write_text(f"{original.read_text()}\nvoid {taken}() {{}}\n")
        with_it = derivative_of(str(path), function, args, "cuda")
        assert with_it.gradient_name != name, taken
        assert not re.search(rf"\b{taken}\b", with_it.fragment), taken
