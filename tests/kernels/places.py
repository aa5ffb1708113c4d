"""What is differentiated in places.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = tuple(Case("places", name, "x, y", (X, Y, N)) for name in ("steps", "effects", "large_objects", "exchanged"))
