"""What is differentiated in batches.cu: rows of each length, so that batches end everywhere."""

from __future__ import annotations

from collections.abc import Callable

from tests.kernels.case import Case
from tests.kernels.making import Make, indices, real, zeros

LENGTHS = (1, 7, 16, 21, 38)
Values = tuple[Make | int, ...]


def _each(function: str, args: str, values: Callable[[int], Values], block: int = 4) -> list[Case]:
    return [
        Case("batches", function, args, values(n), 2, block, f"of_{n}_by_{block}", one_launch=True) for n in LENGTHS
    ]


CASES = (
    *_each("by_index", "y, x, w", lambda n: (zeros(2 * n), real(2 * n), real(5), indices(n, 5), n)),
    *_each("in_place", "a, x", lambda n: (real(2 * n), real(2 * n), n)),
    *_each("squared_in_place", "a, x", lambda n: (real(2 * n), real(2 * n), n)),
    *_each("carried_on", "a, x", lambda n: (real(8 * n), real(8 * n), n)),
    *_each("from_end", "y, z, x, w", lambda n: (zeros(2 * n), zeros(2 * n), real(2 * n), real(n), n, 2)),
    *_each("neighbours", "y, x, v", lambda n: (zeros(2 * n), real(2 * n + 4), real(2 * n), n), 1),
    *_each("neighbours", "y, x, v", lambda n: (zeros(2 * n), real(2 * n + 4), real(2 * n), n), 2),
    *_each("pairs_of_row", "y, x", lambda n: (zeros(8 * n), real(8 * n), n)),
    *_each("by_what_is_found", "y, x", lambda n: (zeros(8), real(8 * n), n)),
    *_each("counted", "y, x", lambda n: (zeros(8), real(2 * n), n, 1)),
    *_each("both_rows", "y, z, x", lambda n: (zeros(2 * n), zeros(2 * n), real(2 * n), n)),
)
