"""Emitted code in programs of several files: a header beside it, code that several files include, a namespace."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cladpy import gradient
from cladpy.cli import run
from cladpy.diagnostics import UsageError
from cladpy.options import Options
from cladpy.pipeline import undifferentiated
from cladpy.resources import include_dirs
from cladpy.source import Source
from tests.emitted.units import HIP, compile_with_hipcc, compile_with_nvcc, derivative_of_options

_GRID = """#pragma once
#define _stream 7
namespace fluid { enum Side { LEFT, RIGHT }; template <class T> struct Grid { int n; const T *at; }; }
"""
# `scaled` means another function in the namespace that callers want, and a parameter of a launch is called `_stream`.
_SOURCE = """
#include <vector>
#include "parts/grid.h"
__device__ double weight[2];
inline __host__ __device__ double scaled(double v) { return 2 * v; }
namespace mine { inline __host__ __device__ double scaled(double v) { return 100 * v; } }
__global__ void blend(fluid::Grid<double> grid, fluid::Side side, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < grid.n) y[i] = weight[side] * scaled(grid.at[i]) * grid.at[i];
}
double norm(const std::vector<double> &v, double times) {
  double sum = 0;
  for (double x : v) sum += scaled(x) * x * times;
  return sum;
}
"""
_CALLS = """
#include "blend_grad.h"
#include "norm_grad.h"
extern double weight[2];
double run_blend() {
  double x[] = {1, 2, 3}, y[3], d_x[3] = {}, d_y[] = {1, 1, 1};
  fluid::Grid<double> grid{3, x}, d_grid{0, d_x};
  weight[1] = 0.5;
  if (mine::inner::blend_grad_weight_launch(dim3(1), dim3(4), 0, nullptr, grid, fluid::RIGHT, y, d_grid, d_y)) return 1;
  double d_weight = mine::inner::blend_grad_weight_d_weight_address()[1];
  return d_x[0] + 10 * d_x[1] + 100 * d_x[2] + 1000 * d_weight;
}
"""
_MAIN = """
#include "norm_grad.h"
double run_blend();
int main() {
  double v[] = {1, 2, 3}, d_v[3] = {}, d_times = 0;
  mine::inner::norm_grad(v, 3, 5, d_v, &d_times);
  return run_blend() == 28642 && d_v[0] == 20 && d_v[2] == 60 && d_times == 28 ? 0 : 1;
}
"""


def _made(tmp_path: Path, target: str) -> tuple[Path, list[str]]:
    """A folder with the gradients of two functions and what calls them, and how compilers find their parts."""
    for name, text in {"src/parts/grid.h": _GRID, "src/blend.cu": _SOURCE, "out/calls.cpp": _CALLS}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text)
    out = tmp_path / "out"
    (out / "main.cpp").write_text(_MAIN)
    for function, args in {"blend": "grid, y, weight", "norm": "v, times"}.items():
        command = ["gradient", str(tmp_path / "src/blend.cu"), "-f", function, "--args", args, "--target", target]
        more = ["--fragment"] if function == "norm" else []  # behind the other
        made = ["--header", "--namespace", "mine::inner", "-o", str(out / f"{function}_grad.cu")]
        assert run([*command, *more, *made]) == 0
    (out / "both.cu").write_text('#include "blend_grad.cu"\n#include "norm_grad.cu"\n')
    return out, [f"-I{folder}" for folder in include_dirs(target)]


def _compile(out: Path, *arguments: str) -> None:
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O0", "-pthread", *arguments]
    done = subprocess.run(command, cwd=out, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_two_files_that_include_headers(tmp_path: Path) -> None:
    """Names within the gradient are the original's, whatever they mean in the namespace that it is called in."""
    out, places = _made(tmp_path, "host")
    _compile(out, *places, "-iquote", "../src", "-x", "c++", "both.cu", "calls.cpp", "main.cpp", "-o", "program")
    assert subprocess.run([out / "program"], check=False).returncode == 0


@pytest.mark.parametrize("target", ["cuda", HIP])
def test_headers_for_gpus(target: str, tmp_path: Path) -> None:
    """The file is compiled alone, and so is one that has nothing of it but the header."""
    out, _ = _made(tmp_path, target)
    (out / "callers.cu").write_text(re.sub("(?m)^.*weight\\[.*;$", "", _CALLS))
    for unit in ("both.cu", "callers.cu"):
        result = (
            compile_with_nvcc(out / unit) if target == "cuda" else compile_with_hipcc(out / unit, devices=("gfx90a",))
        )
        assert result, result.output
    symbols = subprocess.run(["nm", "-C", out / "both.o"], capture_output=True, text=True, check=True).stdout
    for name in ("blend_grad_weight_launch", "norm_grad", "blend_grad_weight_d_weight_address"):
        assert re.search(rf" T mine_inner_\w+::{name}\(", symbols), name


_SQUARE = """#pragma once
template <class T> __global__ void square(const T *x, T *y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] * x[i];
}
inline void squares(const float *x, float *y, int n) { square<<<1, 32>>>(x, y, n); }
"""
_BY_ANOTHER = """
#include "squares_grad.cuh"
void CALLED(const float *x, float *y, int n, float *d_x, float *d_y) { mine::squares_grad(x, y, n, d_x, d_y); }
"""
_OF_BOTH = """
using call = void(const float *, float *, int, float *, float *);
call first, second;
int main() {
  float x[] = {1, 2, 3}, y[3], d_x[3] = {}, d_y[] = {1, 1, 1}, d_more[] = {10, 10, 10};
  first(x, y, 3, d_x, d_y);
  second(x, y, 3, d_x, d_more);
  return d_x[0] == 22 && d_x[2] == 66 ? 0 : 1;
}
"""


@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_files_that_include_the_same(target: str, tmp_path: Path) -> None:
    (tmp_path / "square.cuh").write_text(_SQUARE)
    made = ["--inline", "--namespace", "mine", "-o", str(tmp_path / "squares_grad.cuh")]
    assert run(["gradient", str(tmp_path / "square.cuh"), "-f", "squares", "--target", target, *made]) == 0
    names = ["first", "second"]
    for name in names:
        (tmp_path / f"{name}.cu").write_text(f"#define CALLED {name}{_BY_ANOTHER}")
    (tmp_path / "main.cpp").write_text(_OF_BOTH)
    if target == "host":
        places = [f"-I{folder}" for folder in include_dirs(target)]
        _compile(tmp_path, *places, "-x", "c++", *(f"{name}.cu" for name in names), "main.cpp", "-o", "program")
        assert subprocess.run([tmp_path / "program"], check=False).returncode == 0
        return
    for name in names:
        unit = tmp_path / f"{name}.cu"
        result = compile_with_nvcc(unit) if target == "cuda" else compile_with_hipcc(unit, devices=("gfx90a",))
        assert result, result.output
    joined = ["ld", "-r", *(f"{name}.o" for name in names), "-o", "both.o"]  # which fails for what is there twice
    assert subprocess.run(joined, cwd=tmp_path, check=False).returncode == 0


_VARIABLE = """
__device__ double factor = 3;
__global__ void k(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x] * factor; }
double f(const double *x, double *y) { k<<<1, 4>>>(x, y); return y[0]; }
"""


@pytest.mark.parametrize(
    "options",
    [
        {"namespace": "mine"},
        {"header": True},
        {"namespace": "mine", "header": True, "accumulate": "deterministic"},
        {"namespace": "mine", "inline": True},
    ],
    ids=str,
)
def test_gradients_that_python_runs(options: dict[str, Any]) -> None:
    by_variable = not options.get("inline") and options.get("accumulate") is None
    grad = gradient(_VARIABLE, "k", "x, y, factor" if by_variable else "x, y", backend="host", **options)
    assert bool(grad.header) is bool(options.get("header"))
    x, d_x = np.arange(1, 5.0), np.zeros(4)
    grad.execute_kernel(1, 4, x, np.zeros(4), d_x, np.ones(4))
    np.testing.assert_array_equal(d_x, 6 * x)
    if by_variable:
        assert grad.adjoint_of("factor") == 30


def test_the_split_form_in_a_namespace() -> None:
    code = derivative_of_options(_VARIABLE, "k", "cuda", args="x, y", split=True, namespace="mine").fragment
    assert code.endswith(
        "namespace mine {\nusing ::mine_k_grad::k_grad_launch;\nusing ::mine_k_grad::k_grad;\n"
        "using ::mine_k_grad::k_grad_tape;\n}  // namespace mine\n"
    )
    code = derivative_of_options(_VARIABLE, "f", "cuda", args="x, y", split=True, namespace="mine").fragment
    assert "namespace mine {\nusing ::mine_f_grad::f_grad_tape;\n}  // namespace mine\n" in code


_OWN = "struct Own { double v; };\n"
_TAKES_OWN = "__global__ void k(const Own *x, double *y) { *y = x->v * x->v; }\n"
_HALVES = "#include <cuda_fp16.h>\n__global__ void k(const __half2 *x, float4 *y) { y->x = __half2float(x->x); }\n"


def test_what_a_header_includes(tmp_path: Path) -> None:
    """That by which the original has the classes; what all files have is not there."""
    header = derivative_of_options(_HALVES, "k", "cuda", header=True).header
    assert re.findall("#include (.*)", header) == ["<cuda_runtime.h>", "<cuda_fp16.h>"]
    (tmp_path / "own.h").write_text(_OWN)
    (tmp_path / "k.cu").write_text(f'#include "own.h"\n{_TAKES_OWN}')
    header = derivative_of_options(str(tmp_path / "k.cu"), "k", "hip", header=True).header
    assert re.findall("#include (.*)", header) == ["<hip/hip_runtime.h>", '"own.h"']


@pytest.mark.parametrize("by", ["itself", "macro", "file"])
def test_a_class_that_no_header_has(by: str, tmp_path: Path) -> None:
    (tmp_path / "own.cu").write_text(_OWN)
    (tmp_path / "k.cu").write_text(_TAKES_OWN)
    source: Any = f"{_OWN}{_TAKES_OWN}"
    if by == "macro":
        source = f'#define OWN "{tmp_path}/own.cu"\n#include OWN\n{_TAKES_OWN}'
    elif by == "file":
        source = [tmp_path / "own.cu", tmp_path / "k.cu"]
    with pytest.raises(UsageError, match=r"header: 'Own', which the function takes, is defined in '<.*>.cu' itself"):
        gradient(source, "k", backend="host", header=True)


def test_what_does_not_go_together() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"header": True, "inline": True}, "header does not go with inline, which needs none"),
        ({"namespace": "std::mine"}, "namespace must be the name of a namespace of your own, not 'std::mine'"),
        ({"namespace": "mine::"}, "namespace must be the name of a namespace of your own, not 'mine::'"),
        ({"namespace": "for"}, "namespace must be the name of a namespace of your own, not 'for'"),
        ({"inline": True, "args": "x, y, factor"}, "inline: the adjoint of 'factor' would be another in each file"),
    ]
    for options, said in wrong:
        with pytest.raises(UsageError, match=re.escape(said)):
            gradient(_VARIABLE, "k", backend="host", **options)
    with pytest.raises(UsageError, match="header does not go with the split form, which is a class"):
        Options.make(header=True, split=True)


def test_where_a_header_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.cu").write_text(_VARIABLE)
    command = ["gradient", str(tmp_path / "k.cu"), "-f", "k", "--header"]
    for more, said in {
        (): "--header goes with -o, beside which it is written",
        ("-o", str(tmp_path / "k_grad.h")): "k_grad.h': it is the output too",
        ("-o", str(tmp_path / "k_grad.cu"), "--emit", "ir"): "--header goes with --emit code only",
    }.items():
        assert run([*command, *more]) == 2
        assert said in capsys.readouterr().err
    assert undifferentiated(Source.load(_VARIABLE), "k", "", Options.make(namespace="mine")).header == ""
