"""What is differentiated in block_rows.cu, at several sizes of the block."""

from __future__ import annotations

from typing import Any

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros

SIZES = (1, 7, 32, 48, 128)


def _case(
    function: str, args: str, values: tuple[Any, ...], grid: int, block: int | tuple[int, int], label: str
) -> Case:
    """Right for its own launch only."""
    return Case("block_rows", function, args, values, grid, block, label, one_launch=True)


def _rows(size: int, columns: int) -> Case:
    values = (zeros(2 * columns), real(2 * columns), columns)
    return _case("soft_rows", "y, x", values, 2, size, f"of_{size}_by_{columns}")


CASES = (
    *(_rows(size, 50) for size in SIZES),
    _rows(32, 3),
    *(
        _case("largest_product", "y, x, w", (zeros(2 * n), real(2 * n), real(n), turns), 2, n, f"of_{n}_by_{turns}")
        for n, turns in ((1, 1), (32, 20), (48, 48), (48, 0))
    ),
    *(_case("in_turns", "y, x", (zeros(n), real(5 * n), 5), 1, n, f"of_{n}") for n in (1, 32, 40)),
    *(_case("three_sums", "y, x, w", (zeros(2 * n), real(2 * n), real(n), n), 2, n, f"of_{n}") for n in SIZES),
    *(_case("every_other", "y, x", (zeros(2 * n), real(2 * n), 0), 2, n, f"of_{n}") for n in SIZES),
    *(
        _case("of_planes", "y, x", (zeros(2 * w * h), real(2 * w * h)), 2, (w, h), f"of_{w}_by_{h}")
        for w, h in ((1, 1), (16, 8), (11, 3))
    ),
    *(
        _case(
            "weighted_rows",
            "y, x, w, b",
            (zeros(rows * columns, "f4"), single(rows * columns), single(columns), single(columns), rows, columns),
            -(-rows * 32 // block),
            block,
            f"{rows}_by_{columns}_of_{block}",
        )
        for rows, columns, block in ((9, 64, 64), (5, 70, 32), (6, 20, 96))
    ),
    *(
        _case(
            "weighted_from_end",
            "y, x, w",
            (zeros(3 * columns), real(3 * columns), real(max(columns, block)), columns),
            3,
            block,
            f"{columns}_of_{block}",
        )
        for columns, block in ((150, 64), (40, 64), (100, 33))
    ),
    *(
        _case(
            "weighted_around",
            "y, x, w, v",
            (zeros(7 * columns), real(7 * columns), real(columns + 2), real(columns), 7, columns),
            4,
            block,
            f"{columns}_of_{block[0]}_by_{block[1]}",
        )
        for columns, block in ((96, (32, 2)), (50, (32, 2)))
    ),
)
