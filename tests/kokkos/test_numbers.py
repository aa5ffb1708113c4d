"""Gradients of programs for Kokkos agree with central differences, and leave what they are given as it was."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from cladpy.derivative import Derivative
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from cladpy.toolchain.discovery import find_host_compiler
from tests.kokkos.driver import driver

FOLDER = Path(__file__).parent
PROGRAMS = sorted(FOLDER.glob("programs/*.cpp"))
STANDIN = [f"-I{FOLDER / 'standin'}"]
_GIVEN = "// gradients: "
_SAYS = "Kokkos_ROOT"  # as CMake calls it
KERNELS = FOLDER / "kernels"
OLDER = FOLDER / "older.h"


def installed() -> tuple[list[str], list[str]] | None:
    """How to compile and link with Kokkos: with what `Kokkos_ROOT` names, else with Debian's."""
    root, debian = os.environ.get(_SAYS, ""), Path("/usr/include/trilinos")
    if root:
        found = [f"-L{root}/lib", "-lkokkoscore", f"-Wl,-rpath,{root}/lib"]
        return ["-O1", "-fopenmp", "-isystem", f"{root}/include"], found
    if (debian / "Kokkos_Core.hpp").is_file():
        return ["-isystem", str(debian), "-include", str(OLDER)], ["-ltrilinos_kokkoscore", "-ldl"]
    return None


KOKKOS = installed()


def requested(program: Path) -> list[str]:
    """The functions that are differentiated, which the second line of a program says."""
    line = program.read_text().split("\n")[1]
    assert line.startswith(_GIVEN)
    return line.removeprefix(_GIVEN).split()


@cache
def gradient(program: Path, function: str) -> Derivative:
    return differentiate(Source.load(program), function, "", Options.make(), "kokkos")


def compile_driver(program: Path, functions: Sequence[str], folder: Path, flags: Sequence[str]) -> str:
    """Compiles gradients with what compares them; what the compiler says against it."""
    made = []
    for function in functions:
        derivative = gradient(program, function)
        name = f"{derivative.gradient_name}.hpp"
        (folder / name).write_text(derivative.fragment)
        made.append((name, derivative))
    (folder / "driver.cpp").write_text(f'#include "{program}"\n{driver(made)}')
    compiler = find_host_compiler().path
    command = [
        compiler,
        "-std=c++17",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{KERNELS}",
        "driver.cpp",
        "-o",
        "driver",
        *flags,
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stderr


def compare(program: Path, folder: Path, flags: Sequence[str]) -> None:
    """Compiles the gradients of a program with what compares them, and runs it."""
    assert not compile_driver(program, requested(program), folder, flags)
    for threads in ("1", "2"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "OMP_PROC_BIND": "false"}
        done = subprocess.run(["./driver"], cwd=folder, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
@pytest.mark.parametrize("kind", [[], ["-DSTANDIN_LEFT", "-DSTANDIN_DEVICE"]], ids=["host", "device"])
def test_standin(program: Path, kind: list[str], tmp_path: Path) -> None:
    """On the host with its layout; and as on a device, with another."""
    compare(program, tmp_path, [*STANDIN, *kind])


@pytest.mark.skipif(KOKKOS is None, reason="no Kokkos: neither Kokkos_ROOT nor Debian's libtrilinos-kokkos-dev")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_kokkos(program: Path, tmp_path: Path) -> None:
    assert KOKKOS is not None
    compile, link = KOKKOS
    compare(program, tmp_path, [*compile, *link])


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("everywhere", ""),
        ("on_the_host", "a view is given that is not in the memory space of Kokkos::DefaultExecutionSpace"),
        ("beside_the_device", "this loop runs where the memory of Kokkos::DefaultExecutionSpace is out of reach"),
    ],
)
def test_memory_that_is_out_of_reach(function: str, said: str, tmp_path: Path) -> None:
    """What would be wrong on a device does not compile there; it does where all memory is the host's."""
    program = FOLDER / "spaces.cpp"
    assert not compile_driver(program, [function], tmp_path, STANDIN)
    found = compile_driver(program, [function], tmp_path, [*STANDIN, "-DSTANDIN_DEVICE"])
    assert said in found if said else not found


_APART = """
#include "layouts.cpp"
#include "0_squared.hpp"
#include <cstdio>

using Matrix = Kokkos::View<double **>;

int main() {
  Matrix a("a", 4, 3), b("b", 4, 3), alike("alike", 4, 3), narrow("narrow", 4, 2), high("high", 5, 3);
  int refused = 0;
  squared_grad(a, b, alike, alike);
  for (Matrix *adjoint : {&narrow, &high}) try {
      squared_grad(a, b, alike, *adjoint);
    } catch (const std::invalid_argument &error) {
      refused += std::string(error.what()).find("_d_b has other extents or strides") == 0;
    }
  return refused == 2 ? 0 : 1;
}
"""


def test_adjoints_that_are_not_laid_out_as_their_views(tmp_path: Path) -> None:
    """They would be added to where they have no elements."""
    program = FOLDER / "programs" / "layouts.cpp"
    (tmp_path / "layouts.cpp").write_text(program.read_text())
    (tmp_path / "0_squared.hpp").write_text(gradient(program, "squared").fragment)
    (tmp_path / "driver.cpp").write_text(_APART)
    compiler = find_host_compiler().path
    command = [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "driver.cpp", "-o", "driver", *STANDIN]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert subprocess.run(["./driver"], cwd=tmp_path, check=False).returncode == 0


_GIVEN_MATRIX = """#include <KokkosBlas.hpp>
#include <KokkosSparse_spmv.hpp>
#include <Kokkos_Core.hpp>
using Values = Kokkos::View<double *>;
using Sparse = KokkosSparse::CrsMatrix<double, int, Kokkos::DefaultExecutionSpace, void, std::size_t>;
double run(const Sparse &a, const Values &x) {
  Values y("y", a.numRows()), z("z", a.numCols());
  KokkosSparse::spmv("N", 1.5, a, x, 0.0, y);
  KokkosSparse::spmv("T", 1.0, a, y, 0.0, z);
  return KokkosBlas::dot(z, z);
}
"""
_ASKING = """
#include "run.cpp"
#include "run_grad.hpp"
int main() {
  const std::size_t starts[] = {0, 2, 3}, places[] = {0, 2, 1};
  Kokkos::View<std::size_t *> rows("rows", 3);
  Kokkos::View<int *> columns("columns", 3);
  Values values("values", 3), d_values("d_values", 3), x("x", 3), d_x("d_x", 3);
  for (int i = 0; i < 3; ++i) rows(i) = starts[i], columns(i) = places[i], values(i) = 0.5 + i, x(i) = 1.0 / (1 + i);
  Sparse a("a", 2, 3, 3, values, rows, columns), d_a("d_a", 2, 3, 3, d_values, rows, columns);
  run_grad(a, x, d_a, d_x);
  for (const auto &both : {std::make_pair(values, d_values), std::make_pair(x, d_x)})
    for (int i = 0; i < 3; ++i) {
      const double was = both.first(i);
      both.first(i) = was + 1e-5;
      const double more = run(a, x);
      both.first(i) = was - 1e-5;
      const double difference = (more - run(a, x)) / 2e-5;
      both.first(i) = was;
      if (std::fabs(difference - both.second(i)) > 1e-6) return 1;
    }
  return 0;
}
"""


def test_matrices_of_kokkoskernels_that_are_given(tmp_path: Path) -> None:
    """Their numbers have adjoints in a matrix of the class."""
    (tmp_path / "run.cpp").write_text(_GIVEN_MATRIX)
    source = Source.load(tmp_path / "run.cpp")
    (tmp_path / "run_grad.hpp").write_text(differentiate(source, "run", "", Options.make(), "kokkos").fragment)
    (tmp_path / "driver.cpp").write_text(_ASKING)
    compiler = find_host_compiler().path
    command = [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{KERNELS}", "driver.cpp", "-o", "driver"]
    done = subprocess.run([*command, *STANDIN], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert subprocess.run(["./driver"], cwd=tmp_path, check=False).returncode == 0
