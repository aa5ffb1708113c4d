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
_DIFFS = re.findall(r"```diff\n(.*?)```", PAGE, re.DOTALL)
FUNCTION, OPTION, BUILT_IN, TARGET, VARIANT, GRAMMAR, PLACES, CORE, CORE_PLACES = _DIFFS
pytestmark = pytest.mark.xdist_group("extending")


def files(diff: str) -> set[str]:
    return set(re.findall(r"^\+\+\+ b/(\S+)", diff, re.MULTILINE))


def apply(diff: str, folder: Path, *how: str) -> None:
    done = subprocess.run(["git", "apply", *how], cwd=folder, input=diff, capture_output=True, text=True)
    assert done.returncode == 0, f"docs/extending.md is out of date: {done.stderr}"


def named_places(folder: Path, also: str = "assert_never") -> list[str]:
    """The files of the places that the type checker names, one for each, and nothing else but what says `also`."""
    command = [sys.executable, "-m", "mypy", "cladpy", "--cache-dir", str(folder / "cache")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if "error:" in line]
    assert all("assert_never" in line or also in line for line in lines), done.stdout
    assert also == "assert_never" or any(also in line for line in lines), f"nobody says {also}"
    return [line.partition(":")[0] for line in lines if "assert_never" in line]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "cladpy", tmp_path / "cladpy", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


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


def test_a_target_is_three_rows() -> None:
    apply(TARGET, ROOT, "--check", "--reverse")
    assert len(files(TARGET)) == 3


def test_a_kernel_variant_is_a_class_a_row_and_a_header() -> None:
    apply(VARIANT, ROOT, "--check", "--reverse")
    assert len(files(VARIANT)) == 2
    (header,) = re.findall(r'header = "(.*)"', VARIANT)
    assert (ROOT / "custom_derivatives" / header).exists()


def test_kinds_of_statements(copy: Path) -> None:
    """One for each grammar, one after the other: what is named for one is gone when the next is looked at."""
    apply(GRAMMAR, copy)
    named = named_places(copy)
    assert len(named) == 5
    assert set(named) == files(PLACES) - {"cladpy/frontend/statements.py"}
    assert len(files(GRAMMAR) | files(PLACES)) == 7
    apply(PLACES, copy)
    apply(CORE, copy)
    named = named_places(copy)
    assert len(named) == 7
    assert set(named) == files(CORE_PLACES) - {"cladpy/normalize/statements.py"}
    assert len(files(CORE) | files(CORE_PLACES)) == 7
    apply(CORE_PLACES, copy)
    path = copy / "cladpy" / "ir" / "code.py"
    text = path.read_text().replace("    | Perform\n", "    | Perform\n    | Novel\n", 1)
    path.write_text(text.replace("class Push:", "class Novel:\n    condition: Expr\n\n\n@dataclass\nclass Push:", 1))
    named = named_places(copy, 'has no attribute "effects"')
    places = ("ir/code_text", "ir/code_verify", "passes/dead_code", "passes/at_once", "emit/statements")
    assert sorted(named) == sorted(f"cladpy/{place}.py" for place in places)
