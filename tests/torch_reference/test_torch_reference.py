"""Gradients of standard operations against PyTorch's, and what is stored of these against PyTorch itself."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import cladpy
import tests.oracle  # noqa: F401  how units of tests are compiled
from cladpy.runtime import host_order
from cladpy.runtime.gradient import Gradient
from tests import together
from tests.made import Made, rows_of
from tests.torch_reference.judge import Run, stored, summary
from tests.torch_reference.known import KNOWN, known
from tests.torch_reference.operation import Row, points_of
from tests.torch_reference.table import PROGRAMS, ROWS, operations
from tests.verified import verified

ORDERS = ("forward", "reverse", "random")
# All take minutes: `python -m tests.torch_reference` runs them.
CHOSEN = ROWS if os.environ.get("CLADPY_TEST_ALL") else ROWS[::20]


def gradient_of(row: Row) -> Gradient:
    with verified():
        return cladpy.gradient(str(row.path), row.kernel.function, row.args, backend="host")


def parts_of(gradient: Gradient) -> list[together.Part]:
    part = together.part_of_gradient(gradient.derivative)
    return [] if part is None else [part]


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest) -> Made[Gradient]:
    return Made(request, gradient_of, parts_of)


@pytest.mark.parametrize("case", rows_of("torch", CHOSEN))
def test_gradient(case: Row, made: Made[Gradient]) -> None:
    gradient = made.of(case) or gradient_of(case)
    wrong = []
    for number, point in enumerate(case.points):
        order = ORDERS[number % len(ORDERS)]
        with host_order(order):
            faults = Run(case, point).faults(gradient)
        reason = known(case, point)
        if reason is not None and not faults:
            wrong.append(f"{point.id} ({order}): right, although known.py has it: {reason}")
        elif reason is None and faults:
            wrong.append(f"{point.id} ({order}): {summary(faults)}")
    assert not wrong, "\n".join(wrong)


def test_what_is_known_to_be_wrong_is_of_the_table() -> None:
    assert set(KNOWN) <= {(row.id, point.kind) for row in ROWS for point in row.points}


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_stored_is_of_the_table(program: str) -> None:
    wanted = {operation.name: [point.id for point in points_of(operation)] for operation in operations(program)}
    assert {name: list(points) for name, points in stored(program).items()} == wanted


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_stored_is_what_pytorch_gives(program: str) -> None:
    """Of some operations, at one point each; `--write` computes all anew."""
    pytest.importorskip("torch", reason="PyTorch is not installed (the extra `torch`)")
    from tests.torch_reference.reference import reference

    for number, operation in enumerate(operations(program)[::5]):
        points = points_of(operation)
        point = points[number % len(points)]
        assert alike(stored(program)[operation.name][point.id], reference(point)), f"{operation.name}, {point.id}"


def alike(a: Any, b: Any) -> bool:
    """Whether two trees are the same but for the last digits of numbers."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, float | int) and isinstance(b, float | int):
        return a == pytest.approx(b, rel=1e-5, abs=1e-12)
    return bool(a == b)


def test_a_wrong_gradient_is_found() -> None:
    """One that is off by a little, one outside of its range, sums that are, NaN, and another function's values."""
    row = next(row for row in ROWS if row.kernel.function == "extremum_thread<Fmax>")
    gradient = gradient_of(row)
    point = next(point for point in row.points if point.kind == "ties")
    run = Run(row, point)
    values, adjoints = run.run(gradient)
    largest = [int(k) for k in np.flatnonzero(adjoints["x"])]

    def faults(change: dict[int, float], value: float = 0.0) -> list[str]:
        moved = adjoints["x"].copy()
        for place, by in change.items():
            moved[place] += by
        return run.judged({"y": values["y"] + value}, {**adjoints, "x": moved})

    assert len(largest) > 3
    assert any("not in [" in fault for fault in faults({largest[0]: 9.0}))
    assert any("summed" in fault for fault in faults({largest[0]: 0.01 * float(adjoints["x"][largest[0]])}))
    assert any("nan" in fault for fault in faults({largest[0]: float("nan")}))
    smallest = next(k for k in range(len(adjoints["x"])) if k not in largest)
    assert any(f"d_x[{smallest}]" in fault for fault in faults({smallest: 1e-3}))
    assert any("value" in fault for fault in faults({}, 1.0))
