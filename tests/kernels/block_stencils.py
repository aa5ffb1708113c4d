"""What is differentiated in block_stencils.cu."""

from __future__ import annotations

from dataclasses import replace

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

_CASES = (
    *(
        Case(
            "block_stencils", "burgers", "before, after, viscosity", (real(2 * n), zeros(2 * n), 0.1, steps), 2, n,
            f"of_{n}", shared_mem=16 * n,
        )
        for n, steps in ((1, 3), (32, 5), (33, 4), (96, 1), (256, 2))
    ),
    *(
        Case("block_stencils", "burgers_in_place", "state, viscosity", (real(2 * n), 0.1, steps), 2, n, f"of_{n}")
        for n, steps in ((1, 3), (33, 4), (96, 0), (1024, 2))
    ),
    Case(
        "block_stencils", "gray_scott", "u0, v0, u1, v1, feed, kill",
        (real(128), real(128), zeros(128), zeros(128), 0.04, 0.06, 5), 2, (8, 8),
    ),
    *(
        Case(
            "block_stencils", "heat_by_shuffles", "before, after, conductivity",
            (real(2 * n), zeros(2 * n), real(2 * n, 0.1, 0.3), 4), 2, n, f"of_{n}",
        )
        for n in (32, 96)
    ),
    Case("block_stencils", "pyramid", "before, after", (real(70), zeros(70), 70, 3), 3, 32),
    Case("block_stencils", "gauss_seidel", "source, solution, weight", (real(72), real(72), 1.2, 3), 2, (6, 6)),
    *(
        Case("block_stencils", "until_it_rests", "x, y", (real(60), zeros(60), zeros(2, "i4"), 60), 2, n, f"of_{n}")
        for n in (32, 33)
    ),
    Case("block_stencils", "waves", "start, speed, record", (real(66), real(66), zeros(14), 7), 2, 33),
)  # fmt: skip

# Their shared memory is made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
