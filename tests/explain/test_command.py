"""`cladpy explain` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cladpy.cli import run
from cladpy.diagnostics import UsageError
from cladpy.explain import page
from tests.explain.test_golden import FOLDER
from tests.packaging.catalogue import catalogue

PROGRAM = str(FOLDER / "proofs.cu")


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", PROGRAM, "-f", "k", "--args", "y, x"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("k_grad_0_1: the gradient of 'k' by y, x\n")
    assert "_d_w" not in out


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", PROGRAM, "-f", "k", "--diagnostics", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["gradient"] == "k_grad" and found["diagnostics"] == []


def test_a_program_that_cannot_be_differentiated(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    program = tmp_path / "k.cu"
    program.write_text("__global__ void k(double *y) { y[0] = sqrt(mystery(y[0])); }\n")
    assert run(["explain", str(program), "-f", "k"]) == 1
    assert "error:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["explain", "k.cu"], "takes a diagnostic's code such as CP0103, or a file with -f"),
        (["explain", "CP0102345"], "is no code"),
        (["explain", "CP0000"], "there is no diagnostic CP0000"),
        (["explain", PROGRAM, "-f", "k", "--diagnostics", "sarif"], "text or json"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err


def test_the_page_of_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "cp0301"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("CP0301\n") and "a derivative passes through" in out and "What to do:" in out
    assert "CP0302" not in out and "###" not in out


def test_every_code_has_a_page() -> None:
    for code in catalogue():
        assert page(code).startswith(f"{code}\n")
    with pytest.raises(UsageError, match="did you mean CP"):
        page("CP0300")
