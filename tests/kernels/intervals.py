"""What is differentiated in intervals.cu."""

from __future__ import annotations

from dataclasses import replace

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

ALL, OUT = real(128), zeros(128)

_CASES = (
    Case("intervals", "changes_hands", "x, y", (ALL, OUT), 2, 64),
    Case("intervals", "around_the_loop", "x, y", (ALL, OUT, 4), 2, 64),
    Case("intervals", "moving_window", "x, y", (ALL, OUT, 5), 2, 64),
    Case("intervals", "in_turn", "x, y", (ALL, OUT), 2, 64),
    Case("intervals", "in_global_memory", "x, work, y", (ALL, OUT, OUT), 2, 64),
    Case("intervals", "in_a_warp", "x, y", (ALL, OUT), 2, 64),
)

# Their shared memory is made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
