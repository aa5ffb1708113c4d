"""What is differentiated in uniform.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single, zeros

CASES = (
    Case("uniform", "shared_weights", "x, w, y, scale", (X, real(5), Y, 0.7, N)),
    Case("uniform", "guarded_weight", "x, w, y", (X, real(3), Y, N, 3)),
    Case("uniform", "guarded_weight", "x, w, y", (X, real(1), Y, N, 0), label="no_weight"),
    Case("uniform", "overwritten_weight", "x, w, y", (real(1), real(2), real(1)), 1, 1),
    Case("uniform", "read_by_all", "x, y", (X, Y, N, 3)),
    Case("uniform", "read_by_all_blocks", "x, w, y", (X, real(2), Y, N), 4, 32, one_launch=True),
    Case("uniform", "scaled_rows", "x, w, y", (real(70), real(10), zeros(70), 7, 10), 3, 16, one_launch=True),
    Case("uniform", "overlapping_rows", "x, y", (real(4 * N), zeros(4 * N), N)),
    Case("uniform", "weights_of_two_types", "x, v, w, y, b", (X, single(2), real(4), Y, np.float32(0.4), N)),
)
