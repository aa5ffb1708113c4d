"""Errors that are put into rules and into gradients are noticed. More of them: python -m tests.mutation."""

from __future__ import annotations

import pytest

from tests.fuzz.trial import MISMATCH, RACE, REFUSED
from tests.fuzz.workers import Pool
from tests.mutation.changes import ATOMIC
from tests.mutation.passes import WRONG, Planted
from tests.mutation.rules import mutants, originals, verdicts
from tests.mutation.steps import steps_of


def test_every_error_in_a_rule_is_noticed() -> None:
    chosen = mutants()
    assert [str(m) for m, verdict in zip(chosen, verdicts(chosen), strict=True) if not verdict] == []


def test_nothing_is_said_against_the_rules_themselves() -> None:
    assert [verdict for verdict in verdicts(originals()) if verdict] == []


@pytest.mark.parametrize("number", range(0, len(WRONG), 3), ids=lambda k: f"{WRONG[k].name.strip('_')}-{WRONG[k].case}")
def test_an_error_in_a_pass_is_noticed(number: int) -> None:
    with Pool(1, 120.0) as pool:
        assert next(pool.all([(0, Planted(number))]))[1].kind in (MISMATCH, RACE, REFUSED)


@pytest.mark.parametrize(
    ("program", "error", "kind"),
    [
        ("threads-all_to_one", ATOMIC, RACE),
        ("control-return_in_nested_loops", "a kept value dropped", MISMATCH),
        ("memory-gather", "an addition left out", MISMATCH),
    ],
)
def test_a_step_left_out_is_noticed(program: str, error: str, kind: str) -> None:
    step = next(s for s in steps_of(program) if s.error == error)
    with Pool(1, 120.0) as pool:
        assert next(pool.all([(0, step)]))[1].kind == kind
