"""What is differentiated in async_copies.cu."""

from __future__ import annotations

from dataclasses import replace

from tests.kernels.case import Case
from tests.kernels.making import single, single_rows, zeros

_CASES = (
    Case("async_copies", "by_group", "x, y", (single(96), zeros(64, "f4"), 96)),
    Case("async_copies", "arrived", "x, y", (single(64), zeros(64, "f4"))),
    Case("async_copies", "copied_at_a_barrier", "x, y", (single_rows(64, 4), single_rows(64, 4))),
    Case("async_copies", "in_stages<2>", "x, y", (single(128), zeros(64, "f4"), 128)),
    Case("async_copies", "by_thread", "x, y", (single(64), zeros(64, "f4"))),
    Case("async_copies", "by_primitives", "x, y", (single_rows(96, 4), single_rows(64, 4), 3)),
)

# Their shared memory is made for blocks of this size.
CASES = tuple(replace(case, grid=2, block=32, one_launch=True) for case in _CASES)
