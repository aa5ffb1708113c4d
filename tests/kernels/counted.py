"""What is differentiated in counted.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

_COUNTS = np.array([9, 0, 8, 17, 3, 1, 0], "i4")
_FROM = np.array([0, 9, 9, 17, 34, 37, 38], "i4")
_KINDS = np.array([0, 1, 0, 0, 1, 1, 0], "i4")

CASES = (
    *(
        Case("counted", f"left<{step}>", "x, y", (real(n), zeros(n), n), 2, 32, f"of_{step}_{n}", one_launch=True)
        for step in ("int", "unsigned", "short")
        for n in (64, 40, 9)
    ),
    *(
        Case("counted", "neighbours", "x, y", (real(n), zeros(n), n), 2, block, f"of_{block}_{n}", one_launch=True)
        for block, n in ((32, 50), (21, 30))
    ),
    *(
        Case(
            "counted", f"rows<{leaves}>", "x, y", (real(7 * 16), _KINDS, zeros(7), 7), 2, (16, high),
            f"of_{leaves}_{high}", shared_mem=8 * 16 * high, one_launch=True,
        )
        for leaves in ("true", "false")
        for high in (2, 3)
    ),
    *(
        Case("counted", "groups", "x, y", (real(8 * n), zeros(8 * n), n), 2, 32, f"of_{n}", one_launch=True)
        for n in (8, 11)
    ),
    *(
        Case(
            "counted", "sums_before", "x, y", (real(38), _FROM, _COUNTS, zeros(38), 7), blocks, (4, 3), f"of_{blocks}",
            one_launch=True,
        )
        for blocks in (2, 5)
    ),
)  # fmt: skip
