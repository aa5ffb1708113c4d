"""What is differentiated in temporaries.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import pairs, real, zeros

_FILE = "temporaries"

CASES = (
    Case(_FILE, "vectors", "v, y", (pairs(40), zeros(40), 40), 2, 32),
    Case(_FILE, "of_objects", "p, y", (pairs(40), zeros(40), 40), 2, 32),
    Case(_FILE, "of_numbers", "x, y", (real(40), zeros(40), 40), 2, 32),
    Case(_FILE, "kept", "p, y", (pairs(40), zeros(40), 40), 2, 32),
    Case(_FILE, "bases", "x, y", (real(40), zeros(40), 40), 2, 32),
    Case(_FILE, "parts", "x, y", (real(40), zeros(40), 40), 2, 32),
)
