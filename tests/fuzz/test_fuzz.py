"""A planted error is found, a program that has it is reduced to a few lines, and kept so that it can be run again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.derivatives import table
from cladpy.diagnostics import CladpyError
from tests.fuzz.keep import load, save
from tests.fuzz.reduce import Reducer
from tests.fuzz.trial import CRASH, MISMATCH, RIGHT, TIMEOUT, Job, Outcome, Trial
from tests.fuzz.workers import Pool
from tests.generator import GeneratedProgram, generate

X = np.linspace(0.2, 0.9, 8)
PROGRAM = """
__device__ double twice(double v, int k) {
  return v * 2.0 * k;
}
__global__ void kernel(const double *x, double s, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = twice(x[i], 2);
  for (int k = 0; k < 3; ++k) {
    if (a > 0.5) {
      a = 0.3 * tanh(a * s);
    } else {
      a += (0.25 * sin(a + x[i]));
    }
  }
  y[i] = a * s;
}
"""


def test_a_wrong_rule_is_found_and_reduced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = GeneratedProgram(PROGRAM, "kernel", "x, s, y", (2, 1, 1), (4, 1, 1), [X, 0.3, X.copy(), 5])

    def fails(candidate: GeneratedProgram) -> bool:
        """Without running it: whether the derivative of a sine is taken."""
        try:
            return "::cos(" in cladpy.gradient(candidate.text, candidate.function, candidate.args).code
        except CladpyError:
            return False

    small = Reducer(fails).reduce(program)
    assert len(small.text.splitlines()) <= 5 and "sin(" in small.text, small.text
    path = save(small, "planted", MISMATCH, 0, tmp_path)
    kept, why, seed = load(path)
    assert (kept.text, kept.args, why, seed) == (small.text, small.args, MISMATCH, 0)
    rules = table._overloads()
    wrong = tuple(replace(rule, partials=("T(2) * ::cos(x)",)) for rule in rules["sin"])
    with monkeypatch.context() as patch, Pool(1, 60.0) as pool:  # workers begin with the error
        patch.setitem(rules, "sin", wrong)
        assert pool.one(Job(Trial(), kept)).kind == MISMATCH
    with Pool(1, 60.0) as pool:
        assert pool.one(Job(Trial(), kept)).kind == RIGHT


class Dying(Trial):
    def run(self, program: GeneratedProgram) -> Outcome:
        import os

        os.abort()


class Hanging(Trial):
    def run(self, program: GeneratedProgram) -> Outcome:
        import time

        time.sleep(60)
        return Outcome(RIGHT)


class Quick(Trial):
    def run(self, program: GeneratedProgram) -> Outcome:
        return Outcome(RIGHT)


def test_a_process_that_dies_or_hangs_is_replaced() -> None:
    program = generate(2, 8)
    with Pool(1, 1.0) as pool:
        found = [
            outcome.kind
            for _, outcome in pool.all(
                (k, Job(trial, program)) for k, trial in enumerate((Quick(), Dying(), Quick(), Hanging(), Quick()))
            )
        ]
    assert found == [RIGHT, CRASH, RIGHT, TIMEOUT, RIGHT]
