"""docs/emitted-code.md shows what is emitted."""

from __future__ import annotations

from tests.packaging.emitted_page import PAGE, document


def test_the_page_shows_what_is_emitted() -> None:
    text = document()
    assert text.count("<!-- emitted:") == text.count("<!-- end -->") == 5
    assert text.count("_grad(") >= 5
    assert PAGE.read_text() == text, "if this is meant: python -m tests.golden"
