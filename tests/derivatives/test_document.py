"""docs/math.md is what the tables say."""

from __future__ import annotations

from pathlib import Path

from cladpy.derivatives.document import document
from cladpy.derivatives.table import RULES

PAGE = Path(__file__).parents[2] / "docs" / "math.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text() == document(), "run: python -m cladpy.derivatives.document > docs/math.md"


def test_every_rule_is_on_the_page() -> None:
    text = document()
    assert [rule.name for rule in RULES if f"`{rule.name}`" not in text] == []
