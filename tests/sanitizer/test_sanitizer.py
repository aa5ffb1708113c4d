"""ThreadSanitizer finds nothing in gradients, and does find what is planted. All of the table: python -m
tests.sanitizer."""

from __future__ import annotations

import pytest

from tests.sanitizer.running import library, races
from tests.sanitizer.worker import PLAIN

RIGHT = ("volatile_memory-by_the_warp", "threads-all_to_one", "block_reductions-two_levels-of_32", "memory-gather")
PLANTED = (f"{PLAIN}threads-all_to_one", f"{PLAIN}memory-gather")


@pytest.mark.skipif(not library(), reason="GCC's ThreadSanitizer is not installed")
def test_races() -> None:
    found = dict(races([*RIGHT, *PLANTED]))
    assert {name: found[name] for name in RIGHT} == {name: [] for name in RIGHT}
    for name in PLANTED:
        assert any("thread" in text and "rite of size 8" in text for text in found[name]), (name, found[name])
