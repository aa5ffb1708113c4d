"""What is differentiated in steady.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    *(
        Case("steady", "normalised", "x, y", (real(3 * n), zeros(3 * n), 3, n), 2, block, f"of_{block}_{n}",
             shared_mem=8 * block, one_launch=True)
        for block, n in ((32, 50), (21, 12))
    ),
    Case("steady", "beside", "x, y", (real(40), zeros(3 * 40), 3, 40), 1, 32, shared_mem=8 * 33, one_launch=True),
    Case("steady", "running", "x, y", (real(32), zeros(32), 5), 1, 32, one_launch=True),
    *(Case("steady", "own", "x, y", (real(40), zeros(40), 40, turns), 2, 32, f"of_{turns}") for turns in (0, 4)),
    Case("steady", "farthest", "x, y", (real(3 * 50), zeros(3 * 16), 3, 50), 2, 16, one_launch=True),
)  # fmt: skip
