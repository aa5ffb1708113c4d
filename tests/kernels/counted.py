"""What is differentiated in counted.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

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
            f"of_{leaves}_{high}", shared_mem=8 * 16 * high,
        )
        for leaves in ("true", "false")
        for high in (2, 3)
    ),
    *(
        Case("counted", "groups", "x, y", (real(8 * n), zeros(8 * n), n), 2, 32, f"of_{n}")
        for n in (8, 11)
    ),
)  # fmt: skip
