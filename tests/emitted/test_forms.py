"""The forms that emitted code has on disk compile as they are: a file of its own elsewhere, and fragments in a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cladpy.cli import run
from tests.emitted.units import Compiled, compile_for_host, compile_with_nvcc

# The unused variable is the user's own: it may not be reported where the file is a system header.
SOURCE = """#include <math.h>
__device__ double cubed(double v) {
  double unused = 3.0;
  return v * v * v;
}
__global__ void first(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = cubed(x[i]) + cubed(sin(x[i]));
}
__global__ void second(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k)
    if (i < n) x[i] = cubed(x[i]) * 0.5 + cubed(x[i] * 0.1);
}
"""


def emit(source: Path, function: str, target: str, *more: str) -> None:
    command = ["gradient", str(source), "-f", function, "--target", target, *more]
    assert run(command) == 0


def compiled(unit: Path, target: str, std: str, *system: str) -> Compiled:
    """`system` are folders whose headers are the user's, not ours to complain about."""
    more = [part for folder in system for part in ("-isystem", folder)]
    return compile_for_host(unit, std, *more) if target == "host" else compile_with_nvcc(unit, std, *more)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    user, output = tmp_path / "user", tmp_path / "elsewhere"
    user.mkdir()
    output.mkdir()
    (user / "own.cu").write_text(SOURCE)
    return user, output


@pytest.mark.parametrize("std", ["c++17", "c++20"])
@pytest.mark.parametrize("target", ["cuda", "host"])
def test_a_file_in_another_folder(folders: tuple[Path, Path], target: str, std: str) -> None:
    """It includes the original by the way from there, which needs no flag."""
    user, output = folders
    unit = output / ("out.cpp" if target == "host" else "out.cu")
    clean = SOURCE.replace("  double unused = 3.0;\n", "")
    (user / "own.cu").write_text(clean)
    emit(user / "own.cu", "first", target, "-o", str(unit))
    result = compiled(unit, target, std)
    assert result, result.output


@pytest.mark.parametrize("target", ["cuda", "host"])
def test_fragments_after_the_users_definitions(folders: tuple[Path, Path], target: str) -> None:
    """Two in one file, although both kernels call one device function."""
    user, output = folders
    for function in ("first", "second"):
        emit(user / "own.cu", function, target, "--fragment", "-o", str(output / f"{function}.inc"))
    unit = output / ("all.cpp" if target == "host" else "all.cu")
    first = "#include <cladpy/host.h>\n" if target == "host" else ""
    unit.write_text(f'{first}#include <own.cu>\n#include "first.inc"\n#include "second.inc"\n')
    result = compiled(unit, target, "c++17", os.fspath(user))
    assert result, result.output
