"""What is differentiated in contractions.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros

BODIES = (single(90), single(90), single(90))
CASES = (
    Case(
        "contractions", "product<double>", "a, b, w, c",
        (real(6 * 11), real(11 * 20), real(11), zeros(6 * 20), 6, 11, 20), (2, 2), (16, 4), label="double",
        one_launch=True,
    ),
    Case(
        "contractions", "product<float>", "a, b, w, c",
        (single(6 * 11), single(11 * 20), single(11), zeros(6 * 20, "f4"), 6, 11, 20), (2, 2), (16, 4), label="float",
        one_launch=True,
    ),
    Case("contractions", "pairs", "x, y, mass, force", (*BODIES, zeros(90, "f4"), 90), 3, 32),
    Case("contractions", "pairs", "x, y, mass, force", (*BODIES, zeros(90, "f4"), 90), 1, 96, label="wide"),
    Case("contractions", "recurrence", "x, w, out", (real(60), real(16), zeros(60), 60), one_launch=True),
    Case("contractions", "folded", "x, out", (real(24), zeros(48)), 2, (4, 3, 2), one_launch=True),
)  # fmt: skip
