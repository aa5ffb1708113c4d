"""Kernels compiled by NVRTC, which needs no GPU: emitted ones of every kind, and what it makes of users' files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cladpy.derivative import Derivative
from cladpy.diagnostics import CompilationError, ToolchainError
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from cladpy.toolchain import nvrtc
from cladpy.toolchain.entry import device_unit
from tests.kernels.cases import CASES
from tests.toolchain.by_nvrtc import compiled, gradient_of

# Of each kind one: launched as it is, blocks that stand for several, a counted tape, one that a log counts, exact
# sums, halves, groups, shared memory that is launched with, variables, copies and barriers, CUB, functions by pointers.
ROWS = (
    "async_copies-arrived",
    "classes-nested",
    "cub_blocks-in_warps",
    "dynamic_shared-used_again",
    "functions_given-pointers",
    "group_objects-",
    "half_pairs-",
    "recursive_writes-taken",
    "science-softmax",
    "texture_objects-",
    "textures-",
    "variables-write_variables",
    "variables-read_variables",  # a managed one, which has no name
    "wmma-",
)


def differentiated(path: Path, args: str = "x, y", **options: Any) -> Derivative:
    return differentiate(Source.load(path), "square", args, Options.make(**options), "cuda")


@pytest.mark.parametrize("row", ROWS)
def test_an_emitted_kernel(row: str) -> None:
    derivative = gradient_of(next(c for c in CASES if c.id.startswith(row) and c.grid is not None))
    lowered, code = nvrtc.load(compiled(derivative))
    names = {name for name in device_unit(derivative).names.values() if name != "&::scale"}
    assert names <= set(lowered) and all(lowered.values())
    assert code.startswith(b"\x7fELF")


def test_exact_sums_and_device_functions() -> None:
    text = "__device__ double square(double x, double y) { return x * y * y; }"
    assert compiled(differentiate(Source.load(text), "square", "x, y", Options.make(), "cuda")).is_file()
    text = "__global__ void square(const float *x, float *y) { y[threadIdx.x] = x[0] * x[threadIdx.x]; }"
    exact = Options.make(accumulate="deterministic")
    assert compiled(differentiate(Source.load(text), "square", "x, y", exact, "cuda")).is_file()


def test_a_users_file(tmp_path: Path) -> None:
    """Headers beside it and in folders that are named, those of the C++ library, and code of the host's that NVRTC does
    not take and the kernel does not need, in a header, too."""
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "factor.h").write_text("#include <cstdint>\nconstexpr int32_t factor = FACTOR;\n")
    (tmp_path / "beside.cuh").write_text(
        "#include <vector>\n#include <stdexcept>\n__device__ double twice(double x) { return 2 * x; }\n"
        'inline void check(const std::vector<int> &v) { if (v.empty()) throw std::runtime_error("empty"); }\n'
    )
    (tmp_path / "program.cu").write_text(
        '#include "beside.cuh"\n#include <factor.h>\n#include <iostream>\n#include <cmath>\n#include <type_traits>\n'
        "__global__ void square(const double *x, double *y) {\n"
        '  static_assert(std::is_same<decltype(factor), const int>::value, "");\n'
        "  y[threadIdx.x] = twice(std::sin(x[threadIdx.x])) * factor;\n}\n"
        "int main() {\n  std::vector<int> v(3);\n  check(v);\n  square<<<1, 3>>>(nullptr, nullptr);\n"
        '  std::cout << "done" << std::endl;\n  return cudaDeviceSynchronize();\n}\n'
    )
    options = {"include_dirs": [tmp_path / "more"], "defines": {"FACTOR": "3"}}
    assert compiled(differentiated(tmp_path / "program.cu", **options)).is_file()


def test_what_it_does_not_take_is_shown(tmp_path: Path) -> None:
    program = tmp_path / "program.cu"
    program.write_text(
        "__global__ void square(const double *x, double *y) {\n"
        "  y[threadIdx.x] = ({ double t = x[threadIdx.x]; t * t; });\n}\n"
    )
    with pytest.raises(CompilationError, match=r"program.cu:2:.*NVRTC does not compile this.*\[CP0012\]") as caught:
        compiled(differentiated(program))
    assert "install nvcc and a C++ compiler" in str(caught.value)


def test_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "_candidates", lambda: iter(("libno_such_nvrtc.so",)))
    nvrtc._loaded.cache_clear()
    try:
        with pytest.raises(ToolchainError, match=r"NVRTC.* was not found\nhint: pip install nvidia-cuda-nvrtc"):
            nvrtc.find_nvrtc()
    finally:
        nvrtc._loaded.cache_clear()
