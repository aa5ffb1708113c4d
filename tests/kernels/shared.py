"""What is differentiated in shared.cu."""

from __future__ import annotations

from dataclasses import replace

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, shaped, zeros

ALL = real(64)
OUT = zeros(64)

_CASES = (
    Case("shared", "tree", "x, out", (real(100), zeros(2), 100), 2, 64),
    Case("shared", "tiled_product", "A, B, C", (shaped(6, 6), shaped(6, 6), zeros(36), 6), (2, 2), (4, 4)),
    Case("shared", "stepping", "before, after", (ALL, OUT, 3)),
    Case("shared", "softmax", "x, y", (real(100), zeros(100), 50)),
    Case("shared", "early_return", "x, y", (X, Y, N)),
    Case("shared", "early_return_and_loops", "x, y", (X, Y, N, 2)),
    Case("shared", "early_return_and_loops", "x, y", (X, Y, N, 3), label="longer"),
    Case("shared", "leaves_in_loop", "x, y", (X, Y, N, 3)),
    Case("shared", "layer_norm", "x, gain, shift, y", (ALL, real(32), real(32), real(64))),
    Case("shared", "moments", "x, y", (X, Y, N)),
    Case("shared", "plane_of_shared", "x, w, y", (real(32), real(4), zeros(32)), 2, (4, 4)),
    Case("shared", "same_value", "x, y", (ALL, OUT)),
    Case("shared", "shared_atomics", "x, y", (X, Y, zeros(2, "i4"), N)),
    Case("shared", "counted", "x, y", (X, Y, N, 0.7)),
    Case("shared", "reused", "x, y", (X, OUT, N)),
    Case("shared", "left_by_the_last", "x, y", (ALL, OUT, 4)),
    Case("shared", "stored_by_two", "x, y", (real(32), zeros(64), 60), 2, 32),
    Case("shared", "stored_by_rows", "x, y", (real(8), zeros(48)), 2, (8, 3)),
)

# Their shared memory is made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
