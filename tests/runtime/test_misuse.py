"""Every misuse of the table, on the host."""

from __future__ import annotations

import pytest

from tests.runtime.misuse import MISUSES, Bench, Misuse, outcome


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench("host")


@pytest.mark.parametrize("misuse", MISUSES, ids=lambda m: m.name)
def test_misuse(misuse: Misuse, bench: Bench) -> None:
    assert outcome(misuse, bench) == ""


def test_there_are_enough() -> None:
    assert len({m.name for m in MISUSES}) == len(MISUSES) >= 60
