"""What is differentiated in function_objects.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import members

CASES = (
    Case("function_objects", "captures", "x, y, w", (X, Y, 0.8, N)),
    Case("function_objects", "functors", "x, y", (X, Y, N)),
    Case("function_objects", "packs", "x, y", (X, Y, N)),
    Case("function_objects", "library_classes", "x, y", (X, Y, N)),
    Case("function_objects", "complex_numbers", "x, w", (0.4, 0.3), None, None),
    Case("function_objects", "mapped<Affine>", "x, y, op", (X, Y, N, members(slope=0.7, offset=0.2))),
    Case("function_objects", "mapped<Square>", "x, y", (X, Y, N, members())),
)
