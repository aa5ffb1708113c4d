"""What a gradient makes once, and what it cannot."""

from __future__ import annotations

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from tests.kernels.evaluated_once import CASES

# how often the emitted text calls a function; without the pass
CALLS = {
    ("resonances", "exp"): 3,  # 5
    ("resonances", "fabs"): 1,  # 2
    ("apart", "sin"): 0,  # 4: the others are made together with the cosine
    ("changed", "exp"): 3,  # 4
    ("squared", "sin"): 1,
    ("carried", "exp"): 2,
    ("alike", "sin"): 4,
}


@pytest.mark.parametrize(("function", "callee"), CALLS)
def test_how_often_a_function_is_called(function: str, callee: str) -> None:
    case = next(c for c in CASES if c.function == function)
    text = differentiate(Source.load(str(case.path)), function, case.args, Options.make(), "cuda").code
    assert text.count(f"std::{callee}(") == CALLS[function, callee]
