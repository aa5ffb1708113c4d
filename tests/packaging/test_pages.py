"""Pages whose programs are run as they stand, and whose commands print what they are said to print."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packaging.snippets import ROOT, blocks, commands, files, run

DOCS = ROOT / "docs"


@pytest.mark.parametrize("page", ["AGENTS.md", "docs/limitations.md", "docs/migration.md", "docs/overwritten.md"])
def test_programs(page: str, tmp_path: Path) -> None:
    assert blocks(ROOT / page, "python")
    run(ROOT / page, tmp_path)


def test_the_tutorial(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    run(DOCS / "tutorial.md", tmp_path)


@pytest.mark.parametrize("page", ["AGENTS.md", "docs/how-it-works.md", "docs/limitations.md"])
def test_commands(page: str, tmp_path: Path) -> None:
    for name, text in files(ROOT / page).items():
        (tmp_path / name).write_text(text)
    found = list(commands(ROOT / page, tmp_path))
    assert found
    for command, expected, printed in found:
        assert expected.fullmatch(printed), f"{command}\n{printed}"
