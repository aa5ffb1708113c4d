"""What is differentiated in gathered_places.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    Case("gathered_places", "one_block", "x, y", (real(40), zeros(40), 37), 1, 40, one_launch=True),
    Case("gathered_places", "one_thread", "x, y", (real(40), zeros(40), 33), 37, 1, one_launch=True),
    Case("gathered_places", "by_thread", "x, y", (real(64), zeros(64), 60), 4, 16),
    Case("gathered_places", "by_both", "x, y", (real(180), zeros(180), 20, 9), (3, 9), (8, 1), one_launch=True),
    Case("gathered_places", "one_sided", "x, y", (real(80), zeros(80), 70), 5, 16),
)
