"""What is differentiated in laid_out.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case, N, Y
from tests.kernels.classes_more import with_bit_fields
from tests.kernels.making import members, real, shaped, single, zeros

MIXED = members(v=0.7, p=real(N), w=1.2)
ROWS = members(rows=shaped(4, 3), blocks=shaped(2, 2, 3))
EXTENT = members(x=5, y=2, z=3)
WEIGHTS = members(scale=0.7, by=members(x=0.4, y=1.2, z=-0.6), at=single(3), last=members(f=0.3))


def tables(rng: np.random.Generator) -> list[Any]:
    return [ROWS(rng)]


CASES = (
    Case("laid_out", "around_an_object", "x, cells, y", (shaped(N, 3), shaped(N, 4), Y, N)),
    Case("laid_out", "among_others", "m, b, y", (MIXED, with_bit_fields(N), Y, N)),
    Case("laid_out", "unions_in_memory", "x, y", (shaped(N, 2), shaped(N, 2), N)),
    Case("laid_out", "unions_by_value", "x, y, w", (single(30), zeros(30, "f4"), EXTENT, WEIGHTS)),
    Case("laid_out", "pointers_to_arrays", "t, y", (tables, Y, N)),
    Case("laid_out", "ends_of_rows", "x, v, y", (shaped(N, 4), shaped(N, 3), Y, N)),
    Case("laid_out", "passed_as_numbers", "x, y", (shaped(N, 3), Y, N)),
    Case("laid_out", "may_be_null", "x, u, y", (shaped(N, 4), shaped(N, 1), Y, N)),
)
