"""A planted error is found, a program that has it is reduced to a few lines, and kept so that it can be run again."""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cladpy.derivatives import table
from tests.fuzz.keep import load, save
from tests.fuzz.reduce import Reducer
from tests.fuzz.trial import CRASH, MISMATCH, RIGHT, TIMEOUT, Job, Outcome, Trial
from tests.fuzz.workers import Pool
from tests.generator import GeneratedProgram, generate

X = np.linspace(0.2, 0.9, 8)
PROGRAM = """
__device__ double twice(double v) {
  return v * 2.0;
}
__global__ void kernel(const double *x, double *y) {
  double a = x[0];
  if (a > 0.1) {
    a += 0.25 * sin(a + x[1]);
  } else {
    a = twice(a);
  }
  y[0] = a;
}
"""


SMALL = """__global__ void kernel(const double *x, double *y) {
  y[0] = sin(x[1]);
}
"""


def program_of(text: str) -> GeneratedProgram:
    return GeneratedProgram(text, "kernel", "x, y", (1, 1, 1), (1, 1, 1), [X, X.copy()])


def test_a_program_is_reduced_to_what_makes_it_fail() -> None:
    """As though only a sine of an element were wrong; brackets have to be balanced."""

    def fails(candidate: GeneratedProgram) -> bool:
        text = candidate.text
        balanced = all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))
        return balanced and bool(re.search(r"kernel\(.*\bx\b.*\{[^}]*sin\([^()]*x\[", text, re.DOTALL))

    small = Reducer(fails).reduce(program_of(PROGRAM))
    assert len(small.text.splitlines()) <= 3 and "sin(" in small.text, small.text


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept, why, seed = load(save(program_of(SMALL), "planted", MISMATCH, 3, tmp_path))
    assert (kept.text, kept.args, why, seed) == (SMALL, "x, y", MISMATCH, 3)
    rules = table._overloads()
    wrong = tuple(replace(rule, partials=("T(2) * ::cos(x)",)) for rule in rules["sin"])
    with monkeypatch.context() as patch, Pool(1, 300.0) as pool:  # workers begin with the error
        patch.setitem(rules, "sin", wrong)
        outcome = pool.one(Job(Trial(), kept))
    assert outcome.kind == MISMATCH, outcome.text
    with Pool(1, 300.0) as pool:
        outcome = pool.one(Job(Trial(), kept))
    assert outcome.kind == RIGHT, outcome.text


class Dying(Trial):
    def run(self, program: GeneratedProgram) -> Outcome:
        os._exit(9)


class Hanging(Trial):
    def run(self, program: GeneratedProgram) -> Outcome:
        time.sleep(60)
        return Outcome(RIGHT)


class Quick(Trial):
    def run(self, program: GeneratedProgram) -> Outcome:
        return Outcome(RIGHT)


def test_a_process_that_dies_or_hangs_is_replaced() -> None:
    program = generate(2, 8)
    with Pool(1, 2.0) as pool:
        found = [
            outcome.kind
            for _, outcome in pool.all(
                (k, Job(trial, program)) for k, trial in enumerate((Quick(), Dying(), Quick(), Hanging(), Quick()))
            )
        ]
    assert found == [RIGHT, CRASH, RIGHT, TIMEOUT, RIGHT]
