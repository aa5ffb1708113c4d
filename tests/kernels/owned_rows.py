"""What is differentiated in owned_rows.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = (
    *(
        Case(
            "owned_rows", "kept_in_registers", "y, x, w", (zeros(3 * n), real(3 * n), real(n), n), 3, block,
            f"{n}_of_{block}", one_launch=True,
        )
        for n, block in ((150, 64), (128, 64), (20, 32))
    ),
    *(
        Case(
            "owned_rows", "either_way", "y, x", (zeros(5 * n), real(5 * n), 5, n, n, logs), 2, block,
            f"{n}_of_{block[0]}_by_{block[1]}{'_logs' if logs else ''}", shared_mem=8 * block[0] * block[1],
            one_launch=True,
        )
        for n, block, logs in ((20, (16, 2), False), (7, (8, 3), True))
    ),
    Case("owned_rows", "read_by_others", "y, x", (zeros(3 * 32), real(3 * 32), 32), 3, 32, one_launch=True),
    Case("owned_rows", "apart_by_barriers", "y, x", (zeros(40), real(40), 9), 1, 32, one_launch=True),
)  # fmt: skip
