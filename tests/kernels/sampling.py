"""What is differentiated in sampling.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import Make, blank, real, shaped, shaped_in, single, zeros


def offsets(n: int, dtype: str) -> Make:
    return lambda rng: rng.uniform(-1.4, 1.4, n).astype(dtype)


CASES = (
    *(
        Case(
            "sampling",
            f"deformable_im2col<{types}>",
            "im, offset, mask, columns",
            (40, make(60), offsets(360, dtype), make(180), zeros(360, dtype), 5, 6, 2, 3, 1, 1, 1, 5, 4),
            2,
            8,
        )
        for types, make, dtype in (("double", real, "f8"), ("float, long long", single, "f4"))
    ),
    *(
        Case(
            "sampling",
            "roi_align",
            "features, rois, pooled, scale",
            (
                shaped(2, 5, 6),
                shaped_in(3, (-2.0, 2.0), (-2.0, 2.0), (5.0, 13.0), (4.0, 11.0)),
                blank(3, 2, 2, 2),
                0.53,
                samples,
                2,
                5,
                6,
                2,
                2,
                24,
            ),
            1,
            label=f"samples_{samples}",
        )
        for samples in (0, 2)
    ),
    *(
        Case(
            "sampling",
            f"grid_sample<Padding::{padding}>",
            "input, grid, output",
            (shaped(5, 4), shaped_in(20, (-1.6, 1.6), (-1.6, 1.6)), zeros(20), 5, 4, 20),
            1,
        )
        for padding in ("zeros", "border", "reflection")
    ),
)
