"""Gradients whose callers promise something about the arrays, against the oracle."""

from __future__ import annotations

import pytest

from tests.kernels.promised import CASES, PROMISES
from tests.oracle import assert_gradient

BY_NAME = {case.function: case for case in CASES}


@pytest.mark.parametrize("name", PROMISES)
def test_gradients_with_promises(name: str) -> None:
    case, (fresh, consumed, _, _) = BY_NAME[name], PROMISES[name]
    options = {"fresh": fresh, "consumed": consumed}
    assert_gradient(str(case.path), case.function, case.args, case.grid, case.block, case.arguments(), options=options)
