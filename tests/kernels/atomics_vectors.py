"""What is differentiated in atomics_vectors.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import blank, single, single_rows


def packs(rng: np.random.Generator) -> np.ndarray:
    made = np.zeros(3, [("held", "f4", 2)])
    made["held"] = rng.uniform(0.2, 1.2, (3, 2))
    return made


CASES = (
    Case(
        "atomics_vectors",
        "vectors",
        "x, y, z",
        (single_rows(40, 4), blank(3, 4, dtype="f4"), blank(2, 2, dtype="f4"), 40),
    ),
    Case("atomics_vectors", "seen_as_vectors", "x, y", (single(96), single(8), 95)),
    Case("atomics_vectors", "in_a_class", "x, y, z", (single(40), packs, blank(2, 4, dtype="f4"), 40)),
    Case("atomics_vectors", "one_of_two", "x, y, z", (single(60), single(2), single(2), 60), one_launch=True),
)
