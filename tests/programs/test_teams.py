"""Gradients of loops that threads share are the same for any number of threads."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.toolchain.discovery import find_host_compiler
from cladpy.toolchain.openmp import openmp_flags
from tests.emitted.units import derivative_of_options
from tests.programs.case import HERE
from tests.programs.teams import CASES

N, M = 600, 8


def _like(value: Any) -> np.ndarray:
    """An adjoint for an argument, not zero at first."""
    if not isinstance(value, np.ndarray) or value.dtype == np.float64:
        return np.linspace(0.5, 1.5, np.size(value))
    return np.linspace(0.5, 1.5, value.nbytes // 8).view(value.dtype)


def _given(function: str) -> tuple[list[Any], str]:
    """The arguments, and those that it is differentiated by, which are the first ones."""
    rng = np.random.default_rng(3)
    x, y, z = (rng.uniform(0.1, 1.2, N) for _ in range(3))
    given: dict[str, tuple[list[Any], str]] = {
        "stencils": ([x, y, z, 0.7, N], "x, y, z, s"),
        "products": ([rng.normal(size=N * M), rng.normal(size=M), x, np.zeros(N * M), N, M], "a, v, y, rows"),
        "indirect": ([x, y, rng.normal(size=3), rng.permutation(N).astype(np.int32), N], "x, y, h"),
        "steps": ([x, y, 0.3, N, 3], "x, y, dt"),
        "orbits": ([x, N], "x"),
        "called": ([x / 9, N], "x"),
        "particles": ([x[:180].view([("place", "f8"), ("speed", "f8"), ("mass", "f8")]), 0.4, 60], "p, g"),
        "in_order": ([x / N, y, N], "x, y"),
        "timed": ([x, None, N], "x"),
    }
    return given[function]


@pytest.mark.skipif(not openmp_flags("host"), reason="the compiler has no OpenMP")
@pytest.mark.parametrize("function", [case.function for case in CASES])
def test_any_number_of_threads(function: str) -> None:
    gradient = cladpy.gradient(str(HERE / "teams.cu"), function, _given(function)[1], backend="host")
    threads = ctypes.CDLL("libgomp.so.1")
    known: list[np.ndarray] = []
    for count in (1, *(4,) * 15, 3, 2):
        threads.omp_set_num_threads(count)
        given, by = _given(function)
        adjoints = [_like(value) for value, _ in zip(given, by.split(","), strict=False)]
        gradient.execute(*given, *adjoints)
        found = [a.view(np.float64) for a in adjoints]
        known = known or found
        for one, other in zip(found, known, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


def test_checked_runs_are_on_one_thread() -> None:
    """The program is the one for OpenMP all the same, with what it calls of it."""
    gradient = cladpy.gradient(str(HERE / "teams.cu"), "timed", "x", backend="host", checked=True)
    x, adjoint = np.arange(1.0, 9.0), np.zeros(8)
    gradient.execute(x, None, 8, adjoint)
    np.testing.assert_array_equal(adjoint, 2 * x + (2 if openmp_flags("host") else 0) * (np.arange(8) == 0))


def test_in_a_program_of_ones_own(tmp_path: Path) -> None:
    """With threads and without them, and no compiler warns of what is emitted."""
    code = cladpy.gradient(str(HERE / "teams.cu"), "steps", backend="host").code
    (tmp_path / "steps.h").write_text(code)
    (tmp_path / "teams.cu").write_text((HERE / "teams.cu").read_text())
    (tmp_path / "main.cpp").write_text(
        '#include "steps.h"\n#include <cstdio>\n'
        "int main() {\n  double x[40], y[40], dx[40] = {}, dy[40] = {}, dt = 0;\n"
        "  for (int i = 0; i < 40; ++i) x[i] = 0.02 * i, y[i] = 1 - 0.01 * i;\n"
        '  steps_grad(x, y, 0.3, 40, 3, dx, dy, &dt);\n  std::printf("%.10g %.10g %.10g", dx[7], dy[9], dt);\n}\n'
    )
    places = [part for folder in cladpy.include_dirs("host") for part in ("-isystem", folder)]
    said = []
    for flags in (("-fopenmp",), ("-Wno-unknown-pragmas",)):
        command = [find_host_compiler().path, "-std=c++17", "-Wall", "-Wextra", "-Werror", *flags, *places]
        subprocess.run([*command, "main.cpp", "-pthread", "-o", "main"], cwd=tmp_path, check=True)
        said.append(subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout)
    assert said[0] == said[1]


@pytest.mark.skipif(not openmp_flags("host"), reason="the compiler has no OpenMP")
@pytest.mark.parametrize("split", [False, True])
@pytest.mark.parametrize(
    "work",
    [
        "#pragma omp for\n  for (int i = 0; i < n; ++i) y[i] += x[i] * x[i];",
        "#pragma omp single\n  { for (int i = 0; i < n; ++i) y[i] += x[i] * x[i]; }",
        "#pragma omp barrier\n  if (omp_get_thread_num() == 0)\n    for (int i = 0; i < n; ++i) y[i] += x[i] * x[i];",
    ],
)
def test_the_team_of_a_caller_is_one_thread(work: str, split: bool, tmp_path: Path) -> None:
    """Of several, each would do the work of all: the call ends."""
    source = f"#include <omp.h>\nvoid squares(const double *x, double *y, int n) {{\n{work}\n}}\n"
    call = "cladpy::declare_range(y, sizeof y); squares_grad_tape tape(x, y, 3); tape.forward(); tape.reverse(dx, dy);"
    call = call if split else "squares_grad(x, y, 3, dx, dy);"
    (tmp_path / "squares.h").write_text(derivative_of_options(source, "squares", "host", split=split).code)
    (tmp_path / "main.cpp").write_text(
        '#include "squares.h"\n#include <cstdio>\n'
        "void step() {\n  double x[3] = {1, 2, 3}, y[3] = {}, dx[3] = {}, dy[3] = {1, 1, 1};\n"
        f"  {call}\n"
        '  std::printf("%g ", dx[2]);\n}\n'
        "int main() {\n  step();\n#pragma omp parallel num_threads(2)\n  {\n#pragma omp critical\n"
        '    try { step(); } catch (const std::exception &e) { std::printf("%.20s ", e.what()); }\n  }\n}\n'
    )
    places = [part for folder in cladpy.include_dirs("host") for part in ("-isystem", folder)]
    command = [find_host_compiler().path, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fopenmp", *places]
    subprocess.run([*command, "main.cpp", "-o", "main"], cwd=tmp_path, check=True)
    said = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert said == "6 squares_grad is call squares_grad is call "
