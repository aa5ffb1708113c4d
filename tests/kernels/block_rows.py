"""What is differentiated in block_rows.cu, at several sizes of the block."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros

SIZES = (1, 7, 32, 48, 128)


def _rows(size: int, columns: int) -> Case:
    values = (zeros(2 * columns), real(2 * columns), columns)
    return Case("block_rows", "soft_rows", "y, x", values, 2, size, f"of_{size}_by_{columns}", one_launch=True)


def _each(function: str, args: str, *more: object) -> list[Case]:
    """An element for each thread of two blocks."""
    return [
        Case("block_rows", function, args, (zeros(2 * n), real(2 * n), *more), 2, n, f"of_{n}", one_launch=True)  # type: ignore[arg-type]
        for n in SIZES
    ]


CASES = (
    *(_rows(size, 50) for size in SIZES),
    _rows(32, 3),
    *(
        Case(
            "block_rows",
            "largest_product",
            "y, x, w",
            (zeros(2 * n), real(2 * n), real(n), turns),
            2,
            n,
            f"of_{n}_by_{turns}",
            one_launch=True,
        )
        for n, turns in ((1, 1), (32, 20), (48, 48), (48, 0))
    ),
    *(
        Case("block_rows", "in_turns", "y, x", (zeros(n), real(5 * n), 5), 1, n, f"of_{n}", one_launch=True)
        for n in (1, 32, 40)
    ),
    *(
        Case(
            "block_rows",
            "three_sums",
            "y, x, w",
            (zeros(2 * n), real(2 * n), real(n), n),
            2,
            n,
            f"of_{n}",
            one_launch=True,
        )
        for n in SIZES
    ),
    *_each("every_other", "y, x", 0),
    *(
        Case(
            "block_rows",
            "of_planes",
            "y, x",
            (zeros(2 * w * h), real(2 * w * h)),
            2,
            (w, h),
            f"of_{w}_by_{h}",
            one_launch=True,
        )
        for w, h in ((1, 1), (16, 8), (11, 3))
    ),
    *(
        Case(
            "block_rows",
            "weighted_rows",
            "y, x, w, b",
            (zeros(rows * columns, "f4"), single(rows * columns), single(columns), single(columns), rows, columns),
            -(-rows * 32 // block),
            block,
            f"{rows}_by_{columns}_of_{block}",
            one_launch=True,
        )
        for rows, columns, block in ((9, 64, 64), (5, 70, 32), (6, 20, 96))
    ),
    *(
        Case(
            "block_rows",
            "weighted_from_end",
            "y, x, w",
            (zeros(3 * columns), real(3 * columns), real(max(columns, block)), columns),
            3,
            block,
            f"{columns}_of_{block}",
            one_launch=True,
        )
        for columns, block in ((150, 64), (40, 64), (100, 33))
    ),
    *(
        Case(
            "block_rows",
            "weighted_around",
            "y, x, w, v",
            (zeros(7 * columns), real(7 * columns), real(columns + 2), real(columns), 7, columns),
            4,
            block,
            f"{columns}_of_{block[0]}_by_{block[1]}",
            one_launch=True,
        )
        for columns, block in ((96, (32, 2)), (50, (32, 2)))
    ),
)
