"""What is differentiated in divided.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    Case("divided", "tree", "x, y, p", (real(72, -0.3, 0.3), zeros(2), 0.6, 31), one_launch=True),
    Case(
        "divided", "tree", "x, y, p", (real(66, -0.3, 0.3), zeros(2), 0.6, 20), 2, 33, label="ragged", one_launch=True
    ),
    Case("divided", "tree", "x, y, p", (real(66, -0.3, 0.3), zeros(2), 0.6, 0), label="none", one_launch=True),
    Case("divided", "three", "x, y", (real(32), zeros(64), 29), one_launch=True),
    Case("divided", "both_ways", "x, y", (real(32), zeros(64), 29), one_launch=True),
    Case("divided", "back_and_forth", "x, y", (real(32), zeros(64), 7), one_launch=True),
    Case("divided", "no_waiting", "x, y", (real(32), zeros(64)), one_launch=True),
    Case("divided", "known_inside", "x, y", (real(32), zeros(64), 29), one_launch=True),
    Case("divided", "in_nest", "x, y", (real(32), zeros(64), 31, 3), one_launch=True),
    Case("divided", "in_nest", "x, y", (real(32), zeros(64), 2, 3), label="none", one_launch=True),
)
