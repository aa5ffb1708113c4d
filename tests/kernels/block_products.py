"""What is differentiated in block_products.cu."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, shaped, single, zeros

LAYER = "x, w, bias, y"
SQUARE = "A, B, C"

_CASES = (
    *(
        Case(
            "block_products",
            f"linear_layer<{tile}>",
            LAYER,
            (shaped(7, 11), real(9 * 11, -1.0, 1.0), real(9, -1.0, 1.0), zeros(63), 7, 11, 9),
            (-(-9 // tile), -(-7 // tile)),
            (tile, tile),
        )
        for tile in (1, 4, 16)
    ),
    Case(
        "block_products",
        "linear_layer<32>",
        LAYER,
        (shaped(3, 40), shaped(5, 40), real(5), zeros(15), 3, 40, 5),
        1,
        (32, 32),
    ),
    Case("block_products", "double_buffered", SQUARE, (shaped(16, 16), shaped(16, 16), zeros(256), 16), (2, 2), (8, 8)),
    Case(
        "block_products", "double_buffered", SQUARE, (shaped(8, 8), shaped(8, 8), zeros(64), 8), 1, (8, 8), "one_tile"
    ),
    Case("block_products", "prefetched", SQUARE, (shaped(24, 24), shaped(24, 24), zeros(576), 24), (3, 3), (8, 8)),
    Case(
        "block_products",
        "by_vectors",
        "A, B, C, alpha, beta",
        (single(16 * 24), single(24 * 32), single(16 * 32), 16, 32, 24, np.float32(0.8), np.float32(0.3)),
        (2, 1),
        16,
    ),
    Case("block_products", "with_itself", "A, C", (shaped(6, 5), zeros(36), 6, 5), (2, 2), (4, 4), shared_mem=256),
    *(
        Case(
            "block_products",
            "row_times_vector",
            "A, v, y",
            (real(300, -0.3, 0.3), real(100), zeros(3), 100),
            3,
            size,
            f"of_{size}",
        )
        for size in (1, 33, 64)
    ),
    Case("block_products", "transposed", "x, y", (real(23 * 18), zeros(23 * 18), 23, 18), (2, 2), (16, 4)),
    Case(
        "block_products",
        "convolution",
        "image, filter, out",
        (real(3 * 10 * 12, -1.0, 1.0), real(27, -1.0, 1.0), zeros(120), 12, 10, 3),
        (2, 2),
        (8, 8),
    ),
    Case("block_products", "pairs_by_tiles", "e, x, w", (zeros(40, "f4"), single(40), single(40), 40)),
)

# Their tiles are made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
