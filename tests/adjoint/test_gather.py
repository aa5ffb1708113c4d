"""Adjoints of buffers that are read around each thread's place: which are gathered, and that it is right whatever is
promised, however the kernel is launched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.ir import code
from cladpy.ir.code_walk import all_statements
from cladpy.variants.gather import Gather
from tests.ir.stages import gradient_of
from tests.kernels.case import Case
from tests.kernels.gathered import CASES
from tests.oracle import assert_gradient

BY_NAME = {case.function: case for case in CASES}
# How many cells lie beyond the threads.
GATHERED = {
    "line": (2, 0, 0),
    "widened": (2, 0, 0),
    "unguarded": (4, 0, 0),
    "space": (2, 2, 2),
    "fields": (2, 2, 0),
    "along_rows": (2, 0, 0),
    "part_of_line": (2, 0, 0),
}


def gradient(case: Case, **options: Any) -> cladpy.Gradient:
    return cladpy.gradient(str(case.path), case.function, case.args, backend="host", **options)


def gather_of(case: Case, **options: Any) -> Gather | None:
    made = gradient_of(case.path.read_text(), case.function, args=case.args, **options)
    return next((v for v in made.variants if isinstance(v, Gather)), None)


@pytest.mark.parametrize("name", BY_NAME)
def test_what_is_gathered(name: str) -> None:
    case = BY_NAME[name]
    found = gather_of(case, growable=True)
    assert (None if found is None else found.beyond) == GATHERED.get(name)
    if found is not None:
        added = [s for s in all_statements(found.cells.body) if isinstance(s, code.AddElement)]
        assert all(s.update is code.Update.PLAIN for s in added)
        assert found.rest is not None  # what zeroes the cotangents


@pytest.mark.parametrize("options", [{"accumulate": "atomic"}, {"accumulate": "deterministic"}, {"may_alias": True}])
def test_where_it_is_not_wanted(options: dict[str, Any]) -> None:
    case = BY_NAME["line"]
    assert "line_grad_cells" in gradient(case).code
    assert "line_grad_cells" not in gradient(case, **options).code


@pytest.mark.parametrize("name", ["line", "fields"])
def test_with_promises(name: str) -> None:
    case = BY_NAME[name]
    fresh, consumed = ("x", "y") if name == "line" else ("u, v", "nu, nv")
    options = {"fresh": fresh, "consumed": consumed}
    found = gather_of(case, **options)
    assert found is not None and found.rest is None
    assert all(s.assigned for s in all_statements(found.cells.body) if isinstance(s, code.AddElement))
    assert_gradient(str(case.path), case.function, case.args, case.grid, case.block, case.arguments(), options=options)


def test_launches_that_are_not_gathered() -> None:
    """Threads along y that the kernel does not ask for do the same again: none of them may be left out."""
    text = """
__global__ void k(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[i], x[i] * x[i + 1]);
}
"""
    gradient = cladpy.gradient(text, "k", "x, y", backend="host")
    x = np.linspace(0.5, 1.5, 13)
    for times in (1, 3):
        dx, dy = np.zeros(13), np.ones(12)
        gradient.execute_kernel(2, (8, times), x, np.zeros(12), 12, dx, dy)
        expected = np.zeros(13)
        expected[:-1] += times * x[1:]
        expected[1:] += times * x[:-1]
        np.testing.assert_allclose(dx, expected, rtol=1e-14)
        assert (dy == 1).all()
