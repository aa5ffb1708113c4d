"""What is differentiated in small_things.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = tuple(
    Case("small_things", name, "x, y", (X, Y, N)) for name in ("strings", "effects", "mixed_bounds", "after_commas")
)
