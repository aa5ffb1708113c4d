"""What is differentiated in meetings.cu."""

from __future__ import annotations

from dataclasses import replace

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

ALL, OUT = real(128), zeros(128)

_CASES = (
    Case("meetings", "halves", "x, y", (ALL, zeros(2), 120), 2, 64),
    Case("meetings", "overlapping", "x, y", (ALL, OUT, 20), 2, 64),
    Case("meetings", "window", "x, y", (ALL, OUT, 20), 2, 64),
    Case("meetings", "sometimes", "x, y", (ALL, OUT, 5), 2, 64),
    Case("meetings", "two_guards", "x, y", (ALL, OUT, 20), 2, 64),
    Case("meetings", "one_and_all", "x, y", (ALL, OUT), 2, 64),
    Case("meetings", "below_zero", "x, y", (ALL, OUT, -1), 2, 64),
    Case("meetings", "mirrored", "x, y", (ALL, OUT), 2, 64),
    Case("meetings", "warps_apart", "x, y", (ALL, OUT), 2, 64),
    Case("meetings", "by_distance", "x, y", (ALL, OUT, 60), 2, 64),
)

# Their shared memory is made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
