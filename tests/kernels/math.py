"""What is differentiated in math.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single, zeros

CASES = (
    *(
        Case("math", name, "x, y", (X, Y, N))
        for name in (
            "trigonometric",
            "exponential",
            "rounding",
            "special",
            "sine_and_cosine",
            "at_kinks",
        )
    ),
    Case("math", "written_by_library", "x, s, c, y", (X, Y, Y, Y, N)),
    Case("math", "norms", "x, f, y", (real(N + 4), single(N + 4), Y, N)),
    Case("math", "single_precision", "x, y", (single(N), zeros(N, "f4"), N)),
    Case("math", "fast_forms", "x, y", (single(N), zeros(N, "f4"), N)),
)
