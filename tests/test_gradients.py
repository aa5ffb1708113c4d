"""The gradient of every kernel in the table against the oracle and against central differences."""

from __future__ import annotations

import pytest

from tests.kernels.case import Case
from tests.kernels.cases import CASES
from tests.oracle import assert_gradient


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_gradient(case: Case) -> None:
    how = {"variables": case.contents(), "shared_mem": case.shared_mem}
    assert_gradient(str(case.path), case.function, case.args, case.grid, case.block, case.arguments(), **how)
