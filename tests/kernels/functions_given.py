"""What is differentiated in functions_given.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

CASES = tuple(
    Case("functions_given", name, "x, y", (real(40), zeros(40), 40), 2, 32)
    for name in ("pointers", "in_classes", "in_recursions", "statements_in_recursions", "copied_bytes")
)
