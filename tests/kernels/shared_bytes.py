"""What is differentiated in shared_bytes.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros

_FILE = "shared_bytes"

CASES = (
    *(
        Case(_FILE, name, "x, y", (real(32), zeros(32)), 1, 32, one_launch=True)
        for name in ("as_numbers", "as_objects", "one_number", "as_flags")
    ),
    Case(_FILE, "moments<float>", "x, y", (single(200), zeros(4, "f4"), 100), 2, 32, one_launch=True),
)
