"""What is differentiated in halved_sums.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import half, real, single, zeros

# Powers of two, and numbers whose halves are not whole: then some elements are never added.
_BLOCKS = (64, 1, 48, 50, 7)

CASES = (
    *(
        Case(
            "halved_sums", "of_squares", "x, y", (real(2 * block), zeros(2)), 2, block, f"of_{block}",
            shared_mem=8 * block, one_launch=True,
        )
        for block in _BLOCKS
    ),
    *(
        Case("halved_sums", "mean_of_all", "x, y", (single(100), zeros(100, "f4"), 100), 2, block, f"of_{block}",
             one_launch=True)
        for block in (64, 20)
    ),
    *(
        Case("halved_sums", "two_sums", "x, y", (real(60), zeros(2 * block)), 2, block, f"of_{block}", one_launch=True)
        for block in (64, 128, 40, 33)
    ),
    *(
        Case("halved_sums", "parts_too", "x, y", (real(2 * block), zeros(2 * block)), 2, block, f"of_{block}",
             one_launch=True)
        for block in (64, 32, 25, 7)
    ),
    *(
        Case("halved_sums", "of_rows", "x, y", (real(6 * block), zeros(2 * block), 3), 2, block, f"of_{block}",
             shared_mem=8 * block, one_launch=True)
        for block in (32, 21)
    ),
    *(
        Case("halved_sums", f"converted<{types}>", "x, y", (real(5 * block), zeros(5 * block), 5), 2, block,
             f"of_{types}_{block}".replace(", ", "_").replace(" ", "_"), one_launch=True)
        for types in ("unsigned, int", "int, unsigned", "long, int", "unsigned, short")
        for block in (32, 21)
    ),
    Case("halved_sums", "other_steps", "x, own, y", (real(64), real(64), half(64), zeros(2)), 2, 32, one_launch=True),
    *(
        Case("halved_sums", "other_loops", "x, y", (real(2 * block), zeros(2 * block)), 2, block, f"of_{block}",
             one_launch=True)
        for block in (32, 21)
    ),
)  # fmt: skip
