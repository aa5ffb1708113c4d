"""The watch does see what it is there for: a plain add where an atomic is needed, or one beside an atomic."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.kernels.cases import CASES
from tests.programs.cases import CASES as PROGRAMS
from tests.races.watched import Watched, watched_derivative

BY_ID = {case.id: case for case in CASES}
SHARED_SUM = """
__global__ void shared_sum(const double *w, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = w[i % 3] * x[i];
}
"""


def plainly(code: str) -> str:
    """The same gradient with plain adds where it has atomic ones."""
    return re.sub(
        r"cladpy::(atomic_add|reduce_add|add_at_once|shared_add|(?:block_add|grid_add|grid_reduce)<\d+>|block_add)\(",
        "cladpy::plain_add(",
        code,
    )


@pytest.mark.parametrize(
    "name",
    [
        "threads-all_to_one",
        "threads-scalar_arguments",
        "science-lennard_jones",
        "science-heat_stencil",
        "science-bilinear",
        "memory-gather",
        "control-break_and_continue",
    ],
)
def test_a_plain_add_in_place_of_an_atomic_is_reported(name: str) -> None:
    case = BY_ID[name]
    derivative = watched_derivative(str(case.path), case.function, case.args)
    changed = plainly(derivative.code)
    assert changed != derivative.code
    assert "race at" in Watched(derivative, changed).report(case.grid, case.block, case.arguments())
    assert Watched(derivative).report(case.grid, case.block, case.arguments()) == ""


def test_a_plain_add_in_what_a_host_program_launches_is_reported() -> None:
    program = next(p for p in PROGRAMS if p.id == "scattered-in_turns")
    derivative = watched_derivative(str(program.path), program.function, program.args)
    assert "race at" in Watched(derivative, plainly(derivative.code)).report(None, None, program.arguments())


def test_a_plain_add_beside_an_atomic_is_reported() -> None:
    """Two updates of one buffer, of which only one is atomic."""
    case = BY_ID["control-return_in_nested_loops"]
    derivative = watched_derivative(str(case.path), case.function, case.args)
    assert derivative.code.count("cladpy::atomic_add(") >= 2
    changed = "cladpy::plain_add(".join(derivative.code.rsplit("cladpy::atomic_add(", 1))
    found = Watched(derivative, changed).report(case.grid, case.block, case.arguments())
    assert "updates atomically" in found and "writes" in found


def test_blocks_meet_too() -> None:
    """One thread per block: nothing orders blocks."""

    derivative = watched_derivative(SHARED_SUM, "shared_sum", "w, x, y")
    values = [np.ones(3), np.ones(40), np.zeros(40), 40]
    assert Watched(derivative).report(40, 1, values) == ""
    found = Watched(derivative, plainly(derivative.code)).report(40, 1, values)
    assert re.search(r"block \d+ thread 0 writes and block \d+ thread 0 writes", found), found


def test_one_thread_alone_has_no_race() -> None:
    case = BY_ID["threads-all_to_one"]
    derivative = watched_derivative(str(case.path), case.function, case.args)
    assert Watched(derivative, plainly(derivative.code)).report(1, 1, case.arguments()) == ""
