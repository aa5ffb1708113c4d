"""What is differentiated in large_functions.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros


def weights(rng: np.random.Generator) -> object:
    """Three halves and another one, for each thread."""
    made = np.zeros(60, np.dtype([("w", "f2", (3,)), ("bias", "f2")]))
    made["w"] = rng.uniform(0.5, 1.2, (60, 3)).astype(np.float16)
    return made


CASES = (
    Case("large_functions", "steps_and_blocks", "x, w, y", (real(61), real(4), zeros(120), 3, 60), one_launch=True),
    Case("large_functions", "halves_of_classes", "given, x, y", (weights, single(60), zeros(120, "f4"), 60)),
)
