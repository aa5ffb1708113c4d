"""What is differentiated in custom.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import pairs, real

CASES = (
    Case("custom", "constants", "x, y", (X, Y, N), variables={"factors": real(4)}),
    Case("custom", "as_numbers", "x, y", (X, Y, N)),
    Case("custom", "nobody_takes", "x, y", (X, Y, N)),
    Case("custom", "between_barriers", "x, y", (X, Y, N), one_launch=True),
    Case("custom", "bumped_on_host", "x", (real(3),), None, None),
    *(
        Case("custom", name, "x, v, y", (X, pairs(N), Y, N), 1, 64)
        for name in (
            "lengths",
            "scaled",
            "bumped",
            "added_to",
            "called",
            "made",
            "added",
            "turned_twice",
            "summed",
            "swapped",
            "in_a_loop",
            "deciding",
            "elements",
            "referred",
        )
    ),
)
