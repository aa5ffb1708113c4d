"""Loops that carry elements of shared memory keep nothing for their iterations."""

from __future__ import annotations

import re

import pytest

import cladpy
from tests.kernels.case import HERE


@pytest.mark.parametrize(
    ("function", "stores"),
    [
        ("margins", 0),
        ("two_of_each", 0),
        ("by_the_first", 0),
        ("not_alone", 1),
    ],
)
def test_the_loop_stores_nothing_in_shared_memory(function: str, stores: int) -> None:
    code = cladpy.gradient(HERE / "carried_elements.cu", function, args="y, x").code
    loops = re.findall(r"(?=\n( *)(?:while|for) \(.*\) \{\n((?:\1 .*\n|\n)*))", code.split("// reverse sweep")[0])
    inner = [body for _, body in loops if "__syncthreads" not in body]
    assert inner
    assert sum(len(re.findall(r"\b(?:lines|held|sums)\[.*\] = ", body)) for body in inner) == stores
