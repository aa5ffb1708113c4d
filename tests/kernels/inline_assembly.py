"""What is differentiated in inline_assembly.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import indices, real, single, zeros

CASES = (
    Case("inline_assembly", "activate", "x, y", (single(60), zeros(60, "f4"), 60), one_launch=True),
    Case("inline_assembly", "scale", "x, y", (real(32), zeros(32), indices(32, 32)), 1, one_launch=True),
    Case("inline_assembly", "in_double", "x, w, y", (real(32), single(32), zeros(32), 32), 1, one_launch=True),
)
