"""What is differentiated in by_element.cu; which arrays are left in the gradient is in `LEFT`."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single


def ids(rng: np.random.Generator) -> object:
    return rng.integers(0, 5, N).astype(np.int32)


CASES = (
    Case("by_element", "one_of_five", "density, table, x, y", (ids, real(5), real(30), X, Y, N)),
    Case("by_element", "one_depends", "x, scales, y", (X, single(4), Y, N)),
    Case("by_element", "diagonal", "x, y", (X, Y, N)),
    Case("by_element", "not_apart", "x, y", (ids, X, Y, N)),
)

LEFT = {"one_of_five": "", "one_depends": "", "diagonal": "", "not_apart": "a, b, c"}
