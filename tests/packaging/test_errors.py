"""docs/errors/index.md has every diagnostic that the source reports."""

from __future__ import annotations

import re
from pathlib import Path

from tests.packaging.catalogue import PACKAGE, catalogue, document

PAGE = Path(__file__).parents[2] / "docs" / "errors" / "index.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text() == document(), "run: python -m tests.packaging.catalogue > docs/errors/index.md"


def test_no_code_is_missed() -> None:
    """Every code that stands in the source as a string is in the catalogue, with a message."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        found |= set(re.findall(r"[\"'](CP\d{4})[\"']", path.read_text()))
    entries = catalogue()
    assert found - set(entries) == set()
    assert [code for code, entry in entries.items() if not entry.messages] == []
