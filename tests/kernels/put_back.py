"""What is differentiated in put_back.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single

WHOLE, RAGGED = real(128, 0.3, 1.1), real(99, 0.3, 1.1)

CASES = (
    Case("put_back", "two_loops", "x, out", (WHOLE, WHOLE, 4), 2, 64, one_launch=True),
    Case("put_back", "two_loops", "x, out", (RAGGED, RAGGED, 3), 3, 33, label="ragged", one_launch=True),
    Case("put_back", "two_loops", "x, out", (RAGGED, RAGGED, 0), 3, 33, label="none", one_launch=True),
    Case("put_back", "given_outside", "x, out", (real(128, 0.15, 0.6), WHOLE, 3), 2, 64, one_launch=True),
    Case("put_back", "in_place", "x, out", (WHOLE, real(2)), 2, 64, one_launch=True),
    Case("put_back", "in_place", "x, out", (RAGGED, real(3)), 3, 32, label="of_a_warp", one_launch=True),
    Case(
        "put_back",
        "chosen",
        "x, out",
        (single(128, 0.3, 1.1), single(128), 5),
        2,
        64,
        shared_mem=256,
        one_launch=True,
    ),
    Case("put_back", "by_turns", "x, out", (real(128, 0.3, 0.8), WHOLE, 3), 2, 64, one_launch=True),
    Case("put_back", "by_turns", "x, out", (real(99, 0.3, 0.8), RAGGED, 3), 3, 33, label="ragged", one_launch=True),
    Case("put_back", "one_value", "x, out, w", (WHOLE, WHOLE, real(40), 6), 2, 64, one_launch=True),
    Case(
        "put_back",
        "one_value_for_all",
        "state, x, out, w",
        (real(3), real(64), real(64), real(40), 6),
        1,
        64,
        one_launch=True,
    ),
)
