"""What is differentiated in digits.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

PLANE: tuple[tuple[int, ...], tuple[int, ...]] = ((2, 2), (8, 4))
SPACE: tuple[tuple[int, ...], tuple[int, ...]] = ((2, 2, 2), (4, 2, 2))

CASES = (
    Case("digits", "transposed", "x, y", (real(91), zeros(91), 7, 13), *PLANE),
    Case("digits", "cells", "x, y", (real(60), zeros(1), 5, 4, 3), *SPACE, one_launch=True),
    Case("digits", "framed", "x, y", (real(135), zeros(1), 13, 7), *PLANE),
    Case("digits", "narrow_rows", "x, y", (real(135), zeros(1), 13, 7, 6), *PLANE),
    Case("digits", "one_to_the_left", "x, y", (real(135), zeros(1), 13, 7), *PLANE),
    Case("digits", "grid_stride", "x, y", (real(150), zeros(1), 150)),
    Case("digits", "short_stride", "x, y", (real(150), zeros(1), 150)),
    Case("digits", "rows_by_blocks", "x, y", (real(5 * 70), zeros(5), 5, 70)),
    Case("digits", "rows_turned_around", "x, y", (real(2 * 70), zeros(2), 2, 70)),
    Case("digits", "runs", "x, y", (real(50 * 3), zeros(50), 50, 3)),
    Case("digits", "overlapping_runs", "x, y", (real(50 * 3 + 1), zeros(50), 50, 3)),
    Case("digits", "planes", "f, g", (real(6 * 50), zeros(5 * 50), 50)),
    Case("digits", "column", "a, x, y", (real(40 * 40), real(40), zeros(40), 40)),
    Case("digits", "divided", "x, y", (real(60), zeros(60), 6, 10)),
    Case("digits", "remainders", "x, y", (real(60), zeros(60), 60, 7)),
    Case("digits", "shifted_digits", "x, y", (real(64), zeros(64), 60)),
    Case("digits", "rows_by_warps", "x, y", (real(2 * 70), zeros(2), 2, 70)),
    Case("digits", "rows_by_warps", "x, y", (real(4 * 70), zeros(4), 4, 70), 2, 48, "shared_warps"),
    Case("digits", "leaders", "x, y", (real(4), zeros(1), 4)),
    Case("digits", "first_of_each", "x, y", (real(4), zeros(1), 4)),
    Case("digits", "no_limit", "x, y", (real(80), zeros(1), 40, -1)),
    Case("digits", "wrapped", "x, y", (real(256), zeros(600), 600), 10, 64),
    Case("digits", "stretched", "x, y", (real(150), zeros(60), 60, 2)),
    Case("digits", "stretched", "x, y", (real(1), zeros(60), 60, 0), label="by_nothing"),
)
