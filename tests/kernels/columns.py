"""What is differentiated in columns.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, shaped, single, zeros

CASES = (
    Case("columns", "columns", "out, A, x", (zeros(60), shaped(40, 60), real(40), 60, 40)),
    Case("columns", "columns", "out, x", (zeros(60), shaped(40, 60), real(40), 60, 40), label="x"),
    Case("columns", "columns", "out, A, x", (zeros(60), shaped(40, 60), real(40), 60, 5), label="short"),
    Case("columns", "by_extents", "out, A, x", (zeros(60), shaped(40, 60), real(40), 60, 40)),
    Case("columns", "rows", "out, A, x", (zeros(60), shaped(60, 40), real(40), 60, 40)),
    Case("columns", "rows", "out, x", (zeros(400), shaped(400, 33), real(33), 400, 33), 7, 64, label="long"),
    Case("columns", "pairs", "e, x, y, softening", (zeros(60, "f4"), single(60), single(60), 0.2, 60)),
    Case("columns", "pairs", "e, y", (zeros(60, "f4"), single(60), single(60), 0.2, 60), 3, 20, label="y"),
    Case("columns", "window", "out, x, w", (zeros(120), real(60), real(90), 60, 45, 9)),
    Case("columns", "normalised", "out, A, x", (zeros(60), shaped(60, 40), real(40), 60, 40)),
    Case("columns", "in_place", "y, x", (real(60), real(40), 60, 40)),
    Case("columns", "overwritten", "out, x, w", (zeros(60), real(100), real(60), 60, 40)),
    Case("columns", "horner", "out, c, x", (zeros(60), real(40), real(60), 60, 40)),
    Case("columns", "triangle", "out, A, x", (zeros(60), real(60), real(60), 60)),
    Case("columns", "folded", "out, A, x", (zeros(60), shaped(13, 60), real(40), 60, 40)),
    Case(
        "columns",
        "apart",
        "a, b, x, w",
        (zeros(64, "f4"), zeros(64, "f4"), single(64), single(40), 40),
        one_launch=True,
    ),
    Case("columns", "discarded_pairs", "e, x, y", (zeros(60), real(60), real(60), 60)),
    Case("columns", "optional", "out, w, x", (zeros(60), real(40), real(60), 60, 40)),
    Case("columns", "optional", "out, x", (zeros(60), None, real(60), 60, 40), label="null"),
    Case("columns", "as_there_is", "out, x, v", (zeros(60), real(40), real(1), real(32), 60, 9)),
    Case("columns", "long_before", "out, x", (zeros(60), real(40), 60, 40)),
    Case("columns", "by_warps", "out, x", (zeros(60), real(40), 60, 40)),
)
