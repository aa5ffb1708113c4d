"""The forms that emitted code has on disk compile as they are: a file of its own elsewhere, and fragments in a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cladpy.cli import run
from tests.emitted.units import FIRST_INCLUDE, HIP, compiled, derivative_of
from tests.kernels.cases import rows

# The unused variable is the user's own: it may not be reported where the file is a system header.
SOURCE = """#include <math.h>
__device__ double scaled(const double *in, const double *by) {
  double unused = 3.0;
  return in[threadIdx.x + blockIdx.x * blockDim.x] * *by;
}
__global__ void first(const double *x, const double *w, double *y) {
  y[threadIdx.x + blockIdx.x * blockDim.x] = scaled(x, w) + scaled(x, w + 1);
}
__global__ void second(const double *x, const double *w, double *y) {
  y[threadIdx.x + blockIdx.x * blockDim.x] = sin(scaled(x, w)) * scaled(w, x);
}
"""


def emit(source: Path, function: str, target: str, *more: str) -> None:
    command = ["gradient", str(source), "-f", function, "--target", target, *more]
    assert run(command) == 0


def with_system(*folders: Path) -> list[str]:
    """Flags for folders whose headers are the user's, not ours to complain about."""
    return [part for folder in folders for part in ("-isystem", os.fspath(folder))]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    user, output = tmp_path / "user", tmp_path / "elsewhere"
    user.mkdir()
    output.mkdir()
    (user / "own.cu").write_text(SOURCE)
    return user, output


@pytest.mark.parametrize("std", ["c++17", "c++20"])
@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_a_file_in_another_folder(folders: tuple[Path, Path], target: str, std: str) -> None:
    """It includes the original by the way from there, which needs no flag."""
    user, output = folders
    unit = output / ("out.cpp" if target == "host" else "out.cu")
    clean = SOURCE.replace("  double unused = 3.0;\n", "")
    (user / "own.cu").write_text(clean)
    emit(user / "own.cu", "first", target, "-o", str(unit))
    result = compiled(unit, target, std)
    assert result, result.output


@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_fragments_after_the_users_definitions(folders: tuple[Path, Path], target: str) -> None:
    """Two in one file, although both kernels call one device function."""
    user, output = folders
    for function in ("first", "second"):
        emit(user / "own.cu", function, target, "--fragment", "-o", str(output / f"{function}.inc"))
    unit = output / ("all.cpp" if target == "host" else "all.cu")
    first = f"{FIRST_INCLUDE[target]}\n"
    unit.write_text(f'{first}#include <own.cu>\n#include "first.inc"\n#include "second.inc"\n')
    result = compiled(unit, target, "c++17", *with_system(user))
    assert result, result.output


@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_fragments_that_share_device_functions(tmp_path: Path, target: str) -> None:
    """Pullbacks of one function by different arguments, or by the same, do not get into each other's way."""
    for k, case in enumerate(rows("talk")):
        emit(case.path, case.function, target, "--args", case.args, "--fragment", "-o", str(tmp_path / f"{k}.inc"))
    unit = tmp_path / ("all.cpp" if target == "host" else "all.cu")
    first = f"{FIRST_INCLUDE[target]}\n"
    fragments = "".join(f'#include "{k}.inc"\n' for k in range(len(rows("talk"))))
    unit.write_text(f"{first}#include <talk.cu>\n{fragments}")
    result = compiled(unit, target, "c++17", *with_system(rows("talk")[0].path.parent))
    assert result, result.output


def test_only_the_users_part_of_a_text_is_a_system_header(tmp_path: Path) -> None:
    """Where the original stands in the emitted file, its warnings are not ours, and ours are not hidden with them."""
    text = SOURCE + "void run(const double *x, const double *w, double *y) { first<<<1, 1>>>(x, w, y); }\n"
    code = derivative_of(text, "first", "x, y", "host").code
    unit = tmp_path / "unit.cpp"
    unit.write_text(code)
    result = compiled(unit, "host")
    assert result, result.output
    unit.write_text(code.replace("// Runs the gradient", "static void never_called() {}\n// Runs the gradient", 1))
    assert not compiled(unit, "host")
