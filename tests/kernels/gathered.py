"""What is differentiated in gathered.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros

PLANE: tuple[tuple[int, ...], tuple[int, ...]] = ((2, 3), (7, 3))

CASES = (
    Case("gathered", "line", "x, y", (real(60), zeros(60), 60)),
    Case("gathered", "unguarded", "x, y", (real(46), zeros(42)), 3, 14, one_launch=True),
    Case(
        "gathered",
        "space",
        "u, source, next, rate",
        (real(240), real(240), zeros(240), 8, 6, 5, 0.3),
        (3, 2, 5),
        (3, 3),
        one_launch=True,
    ),
    Case(
        "gathered",
        "fields",
        "u, v, nu, nv",
        (single(91), single(91), zeros(91, "f4"), zeros(91, "f4"), 13, 7, 0.3),
        *PLANE,
    ),
    Case("gathered", "widened", "x, y", (real(62), zeros(60), 1, 60)),
    Case("gathered", "stored_twice", "x, y", (real(60), zeros(60), 60)),
    Case("gathered", "narrow", "x, y", (real(100), zeros(91), 13, 7, 6), *PLANE),
    Case("gathered", "one_line", "x, y", (real(14), zeros(91), 13, 7), *PLANE),
    Case("gathered", "along_rows", "x, y", (real(91), zeros(91), 13, 7), *PLANE),
    Case("gathered", "pairs", "x, y", (real(121), zeros(60), 60)),
    Case("gathered", "dear", "x, y", (real(60), zeros(60), 60)),
    Case("gathered", "part_of_line", "x, y", (real(60), zeros(60), 60, 0)),
    Case("gathered", "part_of_line", "x, y", (real(60), zeros(60), 60, 2), label="half"),
    Case("gathered", "with_factors", "x, y", (real(60), zeros(60), 60)),
)
