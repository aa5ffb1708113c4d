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
ROOT = os.environ.get(_SAYS, "")


def requested(program: Path) -> list[str]:
    """The functions that are differentiated, which the second line of a program says."""
    line = program.read_text().split("\n")[1]
    assert line.startswith(_GIVEN)
    return line.removeprefix(_GIVEN).split()


@cache
def gradient(program: Path, function: str) -> Derivative:
    return differentiate(Source.load(program), function, "", Options.make(), "kokkos")


def compare(program: Path, folder: Path, flags: Sequence[str], libraries: Sequence[str] = ()) -> None:
    """Compiles the gradients with what compares them, and runs it."""
    made = []
    for function in requested(program):
        derivative = gradient(program, function)
        name = f"{derivative.gradient_name}.hpp"
        (folder / name).write_text(derivative.fragment)
        made.append((name, derivative))
    (folder / "driver.cpp").write_text(f'#include "{program}"\n{driver(made)}')
    compiler = find_host_compiler().path
    command = [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", *flags, "driver.cpp", "-o", "driver", *libraries]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for threads in ("1", "2"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "OMP_PROC_BIND": "false"}
        done = subprocess.run(["./driver"], cwd=folder, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
@pytest.mark.parametrize("layout", ["right", "left"])
def test_standin(program: Path, layout: str, tmp_path: Path) -> None:
    compare(program, tmp_path, [*STANDIN, *(["-DSTANDIN_LEFT"] if layout == "left" else [])])


@pytest.mark.skipif(not ROOT, reason="Kokkos_ROOT does not say where Kokkos is installed")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_kokkos(program: Path, tmp_path: Path) -> None:
    library = [f"-L{ROOT}/lib", "-lkokkoscore", f"-Wl,-rpath,{ROOT}/lib"]
    compare(program, tmp_path, ["-O1", "-fopenmp", "-isystem", f"{ROOT}/include"], library)
