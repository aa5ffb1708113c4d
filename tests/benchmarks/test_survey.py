"""The survey of other people's programs finds their functions and says what comes of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import survey
from benchmarks.survey_functions import functions, programs

HEADER = "template <class T> __global__ void scaled(T *x, T a, int n) { if (threadIdx.x < n) x[threadIdx.x] *= a; }\n"
KERNELS = """#include "scaled.cuh"
__global__ void counted(int *x) { x[threadIdx.x] += COUNT; }
__global__ void virtual_call(double *x, void (*f)(double *)) { f(x); }
void launches(double *x, int n) { scaled<double><<<1, 32>>>(x, 2.0, n); }
double square(double x) { return x * x; }
int main() { launches(nullptr, 0); }
"""
MAKEFILE = """MORE = -DCOUNT=3
DEBUG = no
ifeq ($(DEBUG),yes)
  MORE += -DDEBUG
else
  ifdef FAST
    MORE += -DFAST
  else
    MORE += -DSLOW=1
  endif
endif
main: kernels.cu
	nvcc $(MORE) kernels.cu
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own, common = tmp_path / "suite" / "one", tmp_path / "suite" / "common"
    own.mkdir(parents=True)
    common.mkdir()
    (common / "scaled.cuh").write_text(HEADER)
    (own / "kernels.cu").write_text(KERNELS)
    (own / "Makefile").write_text(MAKEFILE)
    (own / "run.py").write_text("PARTS = 2\nload(flags=[f'-DPARTS={PARTS}', f'-DROWS={rows()}', f'-DMORE={MORE}'])\n")
    return tmp_path / "suite"


def test_functions_of_a_folder(folder: Path) -> None:
    (program,) = programs([folder])
    assert program.defines == ("COUNT=3", "FAST", "SLOW=1", "PARTS=2") and str(folder / "common") in program.include
    names = [(f.name, f.kernel) for f in functions(program, program.files[0])]
    assert names == [("scaled<double>", True), ("virtual_call", True), ("launches", False)]


def test_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state, table = folder / "state", folder / "table.md"
    given = ["survey", str(folder), "--state", str(state), "--output", str(table)]
    monkeypatch.setattr(sys, "argv", given)
    survey.main()
    text = table.read_text()
    assert "2 of 3 functions of 1 programs transform" in text
    assert "| suite/one | `scaled<double>` | yes |  |" in text and "| suite/one | `virtual_call` | CP" in text
    survey.main()  # of which nothing is left to try
    assert table.read_text() == text and len(state.read_text().splitlines()) == 3


def test_headers_below_and_bodies_beside(folder: Path) -> None:
    """A header may lie in a folder below that no Makefile leads to, and bodies beside one of another folder."""
    own, below, apart = folder / "one", folder / "one" / "parts", folder / "apart" / "timer"
    below.mkdir()
    apart.mkdir(parents=True)
    (below / "part.h").write_text('#include "../../apart/timer/timer.h"\n')
    (apart / "timer.h").write_text("double elapsed();\n")
    (apart / "timer.c").write_text("double elapsed() { return 0; }\n")
    (own / "part.cuh").write_text('#include "part.h"\n')
    (program,) = programs([folder])
    assert str(below) in program.include and apart / "timer.c" in program.sources


def test_a_template_that_takes_no_numbers_is_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody says with which functions it is instantiated: numbers are no judgement of it."""
    own = folder / "one"
    text = "template <class F> __global__ void each(double *x, F f) { x[threadIdx.x] = f(x[threadIdx.x]); }\n"
    (own / "kernels.cu").write_text(KERNELS + text)
    table = folder / "table.md"
    given = ["survey", str(folder), "--state", str(folder / "state"), "--output", str(table)]
    monkeypatch.setattr(sys, "argv", given)
    survey.main()
    assert "Left out: 1 templates" in table.read_text() and "each" not in table.read_text()
