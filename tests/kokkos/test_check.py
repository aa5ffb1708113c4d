"""`cladpy check` for programs for Kokkos, their calls from Python, and which Kokkos they run with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy import doctor
from cladpy.check.command import run_check
from cladpy.check.gradient_check import check
from cladpy.diagnostics import BackendError, CompilationError, LaunchError, ToolchainError, UsageError
from cladpy.explain import as_text
from cladpy.options import Options
from cladpy.pipeline import explain
from cladpy.runtime.gradient import Gradient
from cladpy.source import Source
from cladpy.toolchain.kokkos import Kokkos, compile_kokkos, find_kokkos
from tests.kokkos.test_numbers import FOLDER

STANDIN = FOLDER / "standin"
OPTIONS = Options.make(kokkos=STANDIN)
PROGRAMS = FOLDER / "programs"


def checked(program: str, function: str, *settings: str) -> tuple[bool, str]:
    """What the command says of a function, run with the small library of the tests."""
    return run_check(PROGRAMS / f"{program}.cpp", function, "", None, None, settings, 0, OPTIONS)


@pytest.mark.parametrize(
    ("program", "function", "settings"),
    [
        ("sums", "norm", ("v=random:7",)),
        ("grids", "heat", ("u=random:7x5",)),  # over several indices, with copies between views
        ("grids", "static_extents", ("points=random:7x3",)),
        ("layouts", "rows_of_left", ("a=random:5x7", "y=[1,2,3,4,5,6,7]")),  # last index first
        ("mirrors", "steps", ("x=random:7", "count=2")),
    ],
)
def test_gradients_agree_with_both_witnesses(program: str, function: str, settings: tuple[str, ...]) -> None:
    ok, text = checked(program, function, *settings)
    assert ok, text
    assert "elements of" in text and "direction 0, workers order" in text


def test_a_gradient_that_is_wrong_is_noticed() -> None:
    gradient = cladpy.gradient(PROGRAMS / "sums.cpp", "norm", kokkos=STANDIN)
    derivative = gradient.derivative
    assert "* 0.5" in derivative.code
    wrong = Gradient(replace(derivative, code=derivative.code.replace("* 0.5", "* 0.6")), "kokkos")
    report = check(wrong, None, None, [np.array([1.0, 2.0, 3.0])])
    assert not report.ok and "the gradient is wrong" in report.text(verbose=True)


STRIDED = """#include <Kokkos_Core.hpp>
struct Point { double x, y; };
using Strided = Kokkos::View<const double **, Kokkos::LayoutStride>;
double run(Strided a, const Kokkos::View<Point *> &p, Kokkos::View<double> s) {
  double sum = 0;
  for (int i = 0; i < int(a.extent(0)); ++i)
    for (int j = 0; j < int(a.extent(1)); ++j) sum += a(i, j) * (i + 1) * p(i).x * p(j).y * s();
  return sum;
}
"""


def test_calls_from_python() -> None:
    """Arrays are views: of const numbers and any strides, of objects, of one number. Adjoints are added to."""
    a, p, s = np.array([[1.0, 2], [3, 4]]), np.array([[1.0, 2], [3, 5]]), np.array([2.0])
    gradient = cladpy.gradient(STRIDED, "run", kokkos=STANDIN)
    d_a, d_p, d_s = np.ones_like(a), np.zeros_like(p), np.zeros_like(s)
    gradient.execute(a, p, s, d_a, d_p, d_s, cotangent=2.0)
    assert gradient.primal.execute(a, p, s) == pytest.approx(2 * (2 + 10 + 2 * 3 * 3 * 2 + 2 * 4 * 3 * 5))
    assert d_s[0] == pytest.approx(gradient.primal.execute(a, p, np.array([2.0])))
    assert d_a == pytest.approx(1 + 4 * np.array([[2, 5], [12, 30]]))
    assert d_p == pytest.approx(4 * np.array([[1 * 2 + 2 * 5, 1 * 1 + 6 * 3], [2 * (3 * 2 + 4 * 5), 2 * 1 + 8 * 3]]))


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ((), UsageError, "no value for 'points': give one with --set, such as --set points=random:8x8"),
        (("points=random:7",), LaunchError, "points: .* is an array of 2 dimensions, not one of shape"),
        (("points=random:7x4",), BackendError, "points: extent 1 of the view is 3, and the array has 4"),
    ],
)
def test_arrays_that_are_not_the_view(settings: tuple[str, ...], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        checked("grids", "static_extents", *settings)


def test_variables_at_namespace_scope() -> None:
    """Constants are numbers; what a program may change is where Python finds it, and not the oracle."""
    text = """#include <Kokkos_Core.hpp>
    constexpr double step = 0.5;
    double scale = 2;
    double run(const Kokkos::View<double *> &x) { return scale * step * x(0); }
    """
    gradient = cladpy.gradient(text, "run", kokkos=STANDIN)
    gradient.primal.set_value("scale", 3.0)
    assert gradient.primal.value_of("scale") == 3 and gradient.primal.execute(np.ones(1)) == 1.5
    with pytest.raises(UsageError, match="no variables at namespace scope but constants, not 'scale'\nhint: give"):
        check(gradient, None, None, [np.ones(1)])


def test_objects_of_views_are_not_passed() -> None:
    text = """#include <Kokkos_Core.hpp>
    struct Grid { Kokkos::View<double *> x; };
    double run(const Grid &g) { return g.x(0) * g.x(1); }
    """
    gradient = cladpy.gradient(text, "run", kokkos=STANDIN)
    with pytest.raises(UsageError, match="g: of what holds memory, a program for Kokkos is given views and pointers"):
        gradient.primal.execute({"x": np.ones(2)})


def test_which_kokkos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what it is, and has the libraries beside its headers; without a name, where CMake looks."""
    monkeypatch.setenv("Kokkos_ROOT", str(tmp_path))
    with pytest.raises(ToolchainError, match=r"Kokkos was not found in .*\nhint: name the folder .* by --kokkos PATH"):
        find_kokkos()
    row = next(row for row in doctor.rows() if row.name == "Kokkos")
    assert not row.ok and row.remedy.startswith("name the folder")
    for folder in ("include", "lib64"):
        (tmp_path / folder).mkdir()
    (tmp_path / "include" / "Kokkos_Core.hpp").write_text("")
    (tmp_path / "include" / "KokkosCore_config.h").write_text(
        "#define KOKKOS_VERSION 40501\n#define KOKKOS_ENABLE_SERIAL\n#define KOKKOS_ENABLE_OPENMP\n"
        "#define KOKKOS_ENABLE_CXX17\n/* #undef KOKKOS_ENABLE_CUDA */\n"
    )
    for name in ("kokkoscore", "kokkoscontainers", "kokkosalgorithms"):
        (tmp_path / "lib64" / f"lib{name}.so").write_text("")
    found = find_kokkos()
    assert (found.release, found.backends, found.runs_on_host) == ("4.5.1", ("SERIAL", "OPENMP"), True)
    assert "-fopenmp" in found.flags()
    assert [f for f in found.link_flags() if f.startswith("-l")] == ["-lkokkoscontainers", "-lkokkoscore", "-ldl"]
    row = next(row for row in doctor.rows() if row.name == "Kokkos")
    assert row.ok and row.detail.startswith("4.5.1 with SERIAL, OPENMP at ")
    monkeypatch.delenv("Kokkos_ROOT")
    monkeypatch.setattr("cladpy.toolchain.kokkos._USUAL", (tmp_path / "include",))
    assert find_kokkos() == found
    assert find_kokkos(str(STANDIN)).link_flags() == ["-ldl"]


def test_a_kokkos_that_runs_on_a_device() -> None:
    with pytest.raises(ToolchainError, match=r"runs loops on a device \(SERIAL, CUDA\)"):
        compile_kokkos("", Kokkos(STANDIN, (), "4.5.1", ("SERIAL", "CUDA")))


def test_a_folder_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="kokkos: there is no folder '/no/such'"):
        Options.make(kokkos="/no/such")


def test_what_that_kokkos_does_not_have() -> None:
    text = """#include <Kokkos_Core.hpp>
    double run(const Kokkos::View<double *> &x) { return x(0); }
    #ifndef __clang__
    double other(double x) { return Kokkos::newer(x); }
    #endif"""
    with pytest.raises(CompilationError, match="'newer' is not a member of 'Kokkos'") as caught:
        cladpy.gradient(text, "run", kokkos=STANDIN).primal.execute(np.ones(2))
    hint = caught.value.diagnostics[0].hint
    assert (
        hint
        == f"it is compiled with Kokkos of unknown version at {STANDIN}; --kokkos PATH or Kokkos_ROOT names another"
    )


def test_an_error_of_the_program() -> None:
    text = """#include <Kokkos_Core.hpp>
    #include <stdexcept>
    double run(const Kokkos::View<double *> &x) {
      if (x.extent(0) > 2) throw std::runtime_error("too long");
      return x(0);
    }"""
    gradient = cladpy.gradient(text, "run", kokkos=STANDIN)
    assert gradient.primal.execute(np.ones(2)) == 1
    with pytest.raises(BackendError, match="too long"):
        gradient.primal.execute(np.ones(3))


def test_what_explain_says_of_loops() -> None:
    """Each loop in reverse, with the reason of each addition, in terms of iterations."""
    source = Source.load(PROGRAMS / "layouts.cpp")
    report, _ = explain(source, "neighbours", "", Options.make(), "kokkos")
    text = as_text(report)
    assert ": the gradient of what is launched\n" in text
    assert "atomic        _d_functor_a[offset_0], line 23" in text
    assert "which may be the same for several iterations" in text and "blockIdx" not in text
