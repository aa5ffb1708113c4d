"""What the glossary sends its readers to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.findall(r"`(<?)([\w/]+\.(?:py|h))>?`", (ROOT / "docs" / "glossary.md").read_text())
PLACES = {"": ("cladpy", "cladpy/passes"), "<": ("custom_derivatives",)}


@pytest.mark.parametrize(("header", "module"), sorted(set(NAMED)))
def test_modules_are_there(header: str, module: str) -> None:
    assert any((ROOT / place / module).exists() for place in PLACES[header])
