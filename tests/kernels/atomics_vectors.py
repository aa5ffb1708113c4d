"""What is differentiated in atomics_vectors.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import blank, single, single_rows

CASES = (
    Case(
        "atomics_vectors",
        "vectors",
        "x, y, z",
        (single_rows(40, 4), blank(3, 4, dtype="f4"), blank(2, 2, dtype="f4"), 40),
    ),
    Case("atomics_vectors", "seen_as_vectors", "x, y", (single(96), single(8), 95)),
)
