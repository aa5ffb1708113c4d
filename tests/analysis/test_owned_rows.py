"""Rows whose elements are found to be one thread's own by what that stores, and those that are not."""

from __future__ import annotations

import re

import pytest

import cladpy
from tests.kernels.case import HERE


@pytest.mark.parametrize(
    ("function", "args", "own"),
    [
        ("kept_in_registers", "y, x", True),
        ("either_way", "y, x", True),
        ("read_by_others", "y, x", False),
        ("apart_by_barriers", "y, x", False),
    ],
)
def test_elements_are_added_to_plainly(function: str, args: str, own: bool) -> None:
    code = cladpy.gradient(HERE / "owned_rows.cu", function, args=args).code
    assert (re.search(r" _d_x\[.*\] \+= ", code) is not None) is own
    assert (re.search(r"add\(&_d_x\[|_staged_d_x", code) is None) is own
