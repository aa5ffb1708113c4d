"""The gradient of every kernel in the table against the oracle and against central differences."""

from __future__ import annotations

import pytest

from tests.kernels.case import Case
from tests.kernels.cases import CASES
from tests.made import Made, rows_of
from tests.oracle import Judged, assert_gradient, judged, parts_of


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest) -> Made[Judged]:
    return Made(request, lambda case: judged(str(case.path), case.function, case.args), parts_of)


@pytest.mark.parametrize("case", rows_of("kernels", CASES))
def test_gradient(case: Case, made: Made[Judged]) -> None:
    how = {"variables": case.contents(), "shared_mem": case.shared_mem, "made": made.of(case)}
    assert_gradient(str(case.path), case.function, case.args, case.grid, case.block, case.arguments(), **how)
