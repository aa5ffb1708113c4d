"""Programs that are written differently and mean the same have the same gradient. More of them: python -m
tests.metamorphic."""

from __future__ import annotations

import random

import pytest

import tests.oracle  # noqa: F401, which says how the host compiles
from tests.generator import generate
from tests.metamorphic.__main__ import differences
from tests.metamorphic.changes import CHANGES
from tests.metamorphic.comparing import adjoints, difference
from tests.metamorphic.pairs import PAIRS, Pair


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_same_by_hand(pair: Pair) -> None:
    first, second = map(adjoints, pair.programs())
    assert all(a.any() for a in first[:2]) and difference(first, second) <= 1


@pytest.mark.parametrize("seed", [10, 12])
def test_random_kernels_written_differently(seed: int) -> None:
    found = differences(generate(seed, 12), seed)
    assert len(found) >= 3 and all(error <= 1 for _, error in found), found


def test_another_gradient_is_told() -> None:
    first, second = (adjoints(pair.programs()[0]) for pair in PAIRS[1:3])
    assert difference(first, second) > 1


def test_every_change_changes_something() -> None:
    texts = [(generate(seed, 20).text, random.Random(seed)) for seed in range(40)]
    for change in CHANGES:
        assert any(change(text, source) not in (None, text) for text, source in texts), change.__name__
