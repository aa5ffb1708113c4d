"""Gradients of host programs whose contributions are summed in a fixed order."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from cladpy.runtime.order import host_order
from tests.oracle import assert_gradient
from tests.programs.case import HERE, Program
from tests.programs.cases import rows

SOURCE = HERE / "scattered.cu"


@pytest.mark.parametrize("case", rows("scattered"), ids=lambda case: case.id)
def test_gradient(case: Program) -> None:
    options = {"accumulate": "deterministic"}
    assert_gradient(
        str(case.path), case.function, case.args, None, None, case.arguments(), options=options, split=False
    )


def test_the_bits_do_not_depend_on_the_order() -> None:
    case = rows("scattered")[0]
    gradient = cladpy.gradient(str(SOURCE), case.function, case.args, backend="host", accumulate="deterministic")
    found = []
    for order, seed in (("forward", 0), ("reverse", 0), ("random", 7)):
        d_in, d_rate = np.zeros(40), np.zeros(1)
        with host_order(order, seed):
            gradient.execute(*case.arguments(), d_in, d_rate)
        found.append(np.append(d_in, d_rate))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
