"""docs/semantics.md names tests and programs: each must be there, and each test of the rules must be named."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "semantics.md").read_text()
ROWS = [re.split(r"(?<!\\)\|", line) for line in PAGE.split("\n") if line.startswith("| ")]


def _named(kind: str) -> set[str]:
    """What stands behind `kind:` in the second column, and what follows it there in backquotes."""
    found: set[str] = set()
    for row in ROWS:
        for first, more in re.findall(rf"`{kind}(\w+)`((?:, `\w+`)*)", row[2]):
            found |= {first, *re.findall(r"\w+", more)}
    return found


def test_rules_and_their_tests() -> None:
    text = (ROOT / "tests" / "adjoint" / "test_semantics.py").read_text()
    assert _named("adjoint:") == set(re.findall(r"^def test_(\w+)", text, re.MULTILINE))


def test_refused_programs() -> None:
    programs = {path.stem for path in (ROOT / "tests" / "reject" / "programs").glob("*.cu")}
    named = _named("reject:")
    assert len(named) > 15
    assert named - programs == set()


def test_kernels() -> None:
    files = [path.stem for path in (ROOT / "tests" / "kernels").glob("*.cu")]
    count = 0
    for file in files:
        kernels = set(re.findall(r"\bvoid (\w+)", (ROOT / "tests" / "kernels" / f"{file}.cu").read_text()))
        named = _named(f"kernels/{file}:")
        assert named - kernels == set(), file
        count += len(named)
    assert count > 10


def test_files() -> None:
    for path in re.findall(r"`(tests/[\w/.]+)`", "".join(row[2] for row in ROWS)):
        assert (ROOT / path).exists(), path
