"""The examples for Kokkos: their gradients against both witnesses, and the script that builds and times them."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.check.gradient_check import check
from tests.kokkos.test_check import STANDIN
from tests.kokkos.test_numbers import FOLDER

EXAMPLES = FOLDER.parent.parent / "examples" / "kokkos"
RUN = runpy.run_path(str(EXAMPLES / "run.py"))


@pytest.mark.parametrize("name", RUN["EXAMPLES"])
def test_gradients(name: str) -> None:
    """Each example that is there, by the oracle and differences of single elements."""
    file, inputs = RUN["EXAMPLES"][name]
    gradient = cladpy.gradient(EXAMPLES / f"{file}.cpp", name, kokkos=STANDIN)
    report = check(gradient, None, None, inputs(5, np.random.default_rng(1)), elements=8)
    assert report.ok, report.text(verbose=True)


def test_every_program_is_run() -> None:
    assert {p.stem for p in EXAMPLES.glob("*.cpp")} == {file for file, _ in RUN["EXAMPLES"].values()}


def test_the_script(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["run.py", "norm", "--kokkos", str(STANDIN)])
    assert RUN["main"]() == 0
    assert "| norm | " in capsys.readouterr().out


def test_the_script_sees_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    gradient = cladpy.gradient(EXAMPLES / "norm.cpp", "norm", kokkos=STANDIN)
    monkeypatch.setattr(gradient, "execute", lambda x, d_x: d_x.fill(1.0))
    random = np.random.default_rng(0)
    assert RUN["compared"](gradient, RUN["norm"](3, random), random) > 1e-3


def test_the_files_say_what_is_differentiated() -> None:
    for path in sorted(Path(EXAMPLES).glob("*.cpp")):
        functions = {name for name, (file, _) in RUN["EXAMPLES"].items() if file == path.stem}
        assert set(path.read_text().split("// gradients: ")[1].splitlines()[0].split()) == functions
