"""What is differentiated in threads.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single, zeros

CASES = (
    Case("threads", "scalar_arguments", "x, y, a, b", (X, Y, 0.7, np.float32(1.3), N)),
    Case("threads", "scalar_arguments", "y, a", (X, Y, 0.7, np.float32(1.3), N), label="one_scalar"),
    Case("threads", "scalar_in_loop", "x, y, a", (X, Y, 0.7, N)),
    Case("threads", "two_dimensions", "x, y", (real(70), zeros(70), 10, 7), (3, 2), (4, 4)),
    Case("threads", "three_dimensions", "x, y, w", (real(96), zeros(96), real(4)), (2, 3, 2), (2, 2, 2)),
    Case("threads", "grid_stride", "x, y", (real(150), zeros(150), 150)),
    Case("threads", "block_in_index", "x, y", (real(64), zeros(64))),
    Case("threads", "atomic_sum", "x, total", (X, zeros(1), N)),
    Case("threads", "weighted_histogram", "x, w, bins", (X, X, zeros(6), N, 6)),
    Case("threads", "atomic_float", "x, y", (single(N), zeros(4, "f4"), N)),
    Case("threads", "cloud_in_cell", "position, charge, grid", (X, X, zeros(9), N, 9)),
    Case("threads", "all_to_one", "w, x, y", (real(3), X, Y, N)),
    Case("threads", "one_thread", "x, y", (real(30), zeros(1), 30), 1, 1),
)
