"""What is differentiated in pairs.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single, single_rows, zeros

CASES = (
    *(
        Case(
            "pairs",
            "forces",
            "x, mass, force, softening",
            (real(80), real(80), zeros(80), 80, 0.3),
            grid,
            block,
            f"of_{block}",
            shared_mem=16 * block,
            one_launch=True,
        )
        for grid, block in ((3, 32), (2, 64), (1, 96), (2, 48), (3, 30))
    ),
    *(
        Case(
            "pairs",
            "potentials",
            "place, charge, out",
            (single_rows(40, 4), single(40), zeros(2 * block[0] * block[1], "f4"), 40),
            2,
            block,
            f"of_{block[0]}_by_{block[1]}",
            one_launch=True,
        )
        for block in ((16, 4), (20, 3), (7, 1))
    ),
    Case("pairs", "distances", "x, y", (real(50), zeros(128), 50), 2, 64, one_launch=True),
    Case("pairs", "in_order", "x, y", (real(50), zeros(64), 50), 2, 32, one_launch=True),
)
