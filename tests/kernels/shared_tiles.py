"""What is differentiated in shared_tiles.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import half, indices, real, zeros

CASES = (
    Case(
        "shared_tiles",
        "known_to_one",
        "x, y",
        (real(128), indices(128, 64), half(128), zeros(128)),
        2,
        64,
        one_launch=True,
    ),
    Case("shared_tiles", "much_to_tell", "x, y", (real(128), real(640), zeros(128), 128), 2, 64, one_launch=True),
    Case("shared_tiles", "rewritten", "x, y", (real(129), zeros(128), 5), 2, 64, one_launch=True),
    Case("shared_tiles", "one_guard", "x, y", (real(128), zeros(128)), 2, 64, one_launch=True),
)
