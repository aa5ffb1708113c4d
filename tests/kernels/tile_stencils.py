"""What is differentiated in tile_stencils.cu."""

from __future__ import annotations

from dataclasses import replace

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

TAPS = {"taps": real(5)}

_CASES = (
    Case("tile_stencils", "along", "x, w, y", (real(60), real(7), zeros(60), 60), 2, 32),
    *(
        Case("tile_stencils", "written_out", "x, y", (real(60), zeros(60), 60), 3, n, f"of_{n}")
        for n in (24, 32)
    ),
    Case("tile_stencils", "window", "x, w, y", (real(19 * 21), real(9), zeros(19 * 21), 19, 21), (2, 3), (16, 8)),
    Case(
        "tile_stencils", "separable", "a, b, y, taps", (real(260), real(260), zeros(260), 10, 13), (2, 2), (8, 8),
        variables=TAPS,
    ),
    Case("tile_stencils", "second_row", "x, y", (real(130), zeros(130), 10, 13), (2, 2), (8, 8), variables=TAPS),
    Case("tile_stencils", "crossed", "a, b, y", (real(72), real(68), zeros(64)), 2, 32),
    Case("tile_stencils", "backwards", "x, y", (real(60), zeros(60), 60), 2, 32),
    *(
        Case("tile_stencils", "in_rows", "x, y", (real(132), zeros(2 * 4 * n)), 2, (n, 4), f"of_{n}")
        for n in (8, 14, 16)
    ),
    Case("tile_stencils", "one_row", "x, y", (real(64), zeros(32)), 1, (8, 4)),
)  # fmt: skip

# Their tiles are made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
