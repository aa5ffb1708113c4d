"""Which arrays are taken apart, since only some of their elements have an adjoint."""

from __future__ import annotations

import re

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from tests.kernels.by_element import CASES, LEFT
from tests.kernels.case import Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function)
def test_arrays_that_are_left(case: Case) -> None:
    text = differentiate(Source.load(str(case.path)), case.function, case.args, Options.make(), "cuda").code
    assert ", ".join(re.findall(r" _d_(\w+)\[\d+\] = \{\};", text)) == LEFT[case.function]


def test_adjoints_that_are_zero_are_neither_computed_nor_added() -> None:
    case = next(c for c in CASES if c.function == "one_of_five")
    text = differentiate(Source.load(str(case.path)), case.function, case.args, Options.make(), "cuda").code
    assert re.findall(r"&_d_table\[(.*?)\]", text) == ["row0 + 0L", "row0 + 1L"]
