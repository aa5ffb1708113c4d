"""Loops of which few iterations matter keep these alone."""

from __future__ import annotations

import pytest

import cladpy
from tests.kernels.case import HERE


@pytest.mark.parametrize(("function", "few"), [("nearest", True), ("sums_below", False), ("all_of_it", False)])
def test_turns_that_found_one_are_kept(function: str, few: bool) -> None:
    code = cladpy.gradient(HERE / "own_arrays.cu", function, args="y, x").code
    assert ("++_found;" in code) is few
