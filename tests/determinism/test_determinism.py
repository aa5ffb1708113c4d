"""A few programs in all environments."""

from __future__ import annotations

from tests.determinism.comparing import differences


def test_the_same_text_everywhere() -> None:
    compared, wrong = differences(every=250)
    assert compared >= 9
    assert wrong == []
