"""What is differentiated in block_reductions.cu, each at several sizes of the block."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

SIZES = (1, 32, 33, 96, 256, 1024)


def _dynamic(function: str, inputs: int, sizes: tuple[int, ...] = SIZES) -> list[Case]:
    """One element per thread, but for a few at the end, and eight bytes of shared memory."""
    names = "x, out" if inputs == 1 else "x, w, out"
    cases = []
    for size in sizes:
        n = 2 * size - size // 5
        values = (*[real(n)] * inputs, zeros(2), n)
        cases.append(
            Case("block_reductions", function, names, values, 2, size, f"of_{size}", 8 * size, one_launch=True)
        )
    return cases


def _static(function: str, args: str, sizes: tuple[int, ...], n: int, grid: int = 2) -> list[Case]:
    return [
        Case("block_reductions", function, args, (real(n), zeros(grid), n), grid, size, f"of_{size}", one_launch=True)
        for size in sizes
    ]


CASES = (
    *_dynamic("strided", 1),
    *_dynamic("strided_index", 1, (1, 33, 256)),
    *_dynamic("far_end", 2, (1, 33, 96, 256)),
    *_dynamic("product", 1, (1, 32, 33, 96)),
    *_static("unrolled<32>", "x, out", (32,), 100),
    *_static("unrolled<64>", "x, out", (64,), 200),
    *_static("unrolled<256>", "x, out", (256,), 900),
    *_static("last_warp_in_shared", "x, out", (64, 256), 700),
    *_static("which_largest", "x, out", (64,), 100),
    *_static("two_levels", "x, out", (32, 96, 256, 1024), 700),
    Case("block_reductions", "loss", "x, target, total", (real(500), real(500), real(1), 500), 3, 96, one_launch=True),
    *(
        Case(
            "block_reductions",
            "standardised",
            "x, y",
            (real(2 * n), zeros(2 * n), n),
            2,
            size,
            f"of_{size}",
            one_launch=True,
        )
        for size, n in ((1, 1), (32, 32), (33, 33), (96, 90), (256, 256), (1024, 1000))
    ),
    *_static("by_groups", "x, out", (32, 96, 1024), 500),
    *(
        Case(
            "block_reductions",
            "plane",
            "x, rows, out",
            (real(2 * w * h), zeros(2 * h), zeros(2), w),
            2,
            (w, h),
            f"of_{w}_by_{h}",
            one_launch=True,
        )
        for w, h in ((1, 1), (8, 4), (11, 3), (32, 32))
    ),
)
