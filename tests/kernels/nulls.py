"""What is differentiated in nulls.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X
from tests.kernels.making import real, single, zeros

CASES = (
    Case("nulls", "smallest_above", "a, y", (real(20), zeros(20), 20), 1),
    Case("nulls", "either", "a, b, y", (X, X, zeros(N), N)),
    Case("nulls", "either", "a, b, y", (X, None, zeros(N), 1), label="null_argument"),
    Case("nulls", "objects_set_later", "x, y", (real(60), zeros(60), 60), 1),
    Case("nulls", "bytes_set_later", "x, y", (single(60), zeros(60, "f4"), 60), 1),
    Case("nulls", "nested_closures", "x, y", (real(20), zeros(20), 20), 1),
    Case("nulls", "left_out", "x, y", (real(20), zeros(20), 20), 1),
)
