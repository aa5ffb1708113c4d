"""The diffs of docs/extending.md are real: they apply, and the type checker names the places that the page lists."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text()
FUNCTION, OPTION, BUILT_IN, GRAMMAR, PLACES = re.findall(r"```diff\n(.*?)```", PAGE, re.DOTALL)
pytestmark = pytest.mark.xdist_group("extending")


def files(diff: str) -> set[str]:
    return set(re.findall(r"^\+\+\+ b/(\S+)", diff, re.MULTILINE))


def apply(diff: str, folder: Path, *how: str) -> None:
    done = subprocess.run(["git", "apply", *how], cwd=folder, input=diff, capture_output=True, text=True)
    assert done.returncode == 0, f"docs/extending.md is out of date: {done.stderr}"


def named_places(folder: Path) -> list[str]:
    """The files of the places that the type checker names, one for each."""
    command = [sys.executable, "-m", "mypy", "cladpy", "--cache-dir", str(folder / "cache")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if "error:" in line]
    assert all("assert_never" in line for line in lines), done.stdout
    return [line.partition(":")[0] for line in lines]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all, that the type checker looks only once at what is not changed."""
    return tmp_path_factory.mktemp("extending")


@pytest.fixture
def copy(folder: Path) -> Path:
    shutil.rmtree(folder / "cladpy", ignore_errors=True)
    shutil.copytree(ROOT / "cladpy", folder / "cladpy", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_a_math_function_is_one_line() -> None:
    apply(FUNCTION, ROOT, "--check", "--reverse")
    assert len(re.findall(r"^[+-] ", FUNCTION, re.MULTILINE)) == 1


def test_an_option_is_two_places() -> None:
    apply(OPTION, ROOT, "--check", "--reverse")
    assert len(files(OPTION)) == 2


def test_a_built_in_is_a_row_a_declaration_and_bodies() -> None:
    apply(BUILT_IN, ROOT, "--check", "--reverse")
    assert sorted(Path(name).parts[1] for name in files(BUILT_IN)) == ["cladpy", "cladpy", "frontend", "known"]
    assert len(re.findall(r"^\+(?!\+)", BUILT_IN, re.MULTILINE)) == 4


def test_a_statement_kind_of_the_surface(copy: Path) -> None:
    apply(GRAMMAR, copy)
    named = named_places(copy)
    assert len(named) == 5
    assert set(named) == files(PLACES) - {"cladpy/frontend/statements.py"}
    apply(PLACES, copy)
    assert named_places(copy) == []
    assert len(files(GRAMMAR) | files(PLACES)) == 7


def test_a_statement_kind_of_the_core(copy: Path) -> None:
    path = copy / "cladpy" / "ir" / "core.py"
    text, added = re.subn(r"(?m)^(Statement = \([^)]*\|) If", r"\1 Novel | If", path.read_text())
    assert added == 1
    path.write_text(text.replace("class Merge:", "class Novel:\n    span: Span\n\n\n@dataclass\nclass Merge:", 1))
    named = named_places(copy)
    assert len(named) == 7
    assert set(named) == {
        "cladpy/ir/core_text.py",
        "cladpy/ir/core_verify.py",
        "cladpy/analysis/flow.py",
        "cladpy/adjoint/preaccumulation.py",
        "cladpy/adjoint/sweep.py",
    }
