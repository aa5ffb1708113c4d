"""What is differentiated in block_learning.cu."""

from __future__ import annotations

from dataclasses import replace

from tests.kernels.case import Case
from tests.kernels.making import indices, real, shaped, zeros


def _rows(function: str, args: str, sizes: tuple[int, ...], n: int) -> list[Case]:
    values = (real(2 * n, -1.0, 1.5), zeros(2 * n), n)
    return [Case("block_learning", function, args, values, 2, size, f"of_{size}") for size in sizes]


_CASES = (
    *_rows("softmax", "x, y", (32, 96, 1024), 70),
    *_rows("online_softmax", "x, y", (1, 33, 96, 256), 70),
    *(
        Case(
            "block_learning",
            "cross_entropy",
            "logits, loss",
            (real(150), indices(3, 50), zeros(3), 50),
            3,
            size,
            f"of_{size}",
            8 * size,
        )
        for size in (1, 33)
    ),
    *(
        Case(
            "block_learning",
            "layer_norm",
            "x, gain, bias, y, means, eps",
            (real(150), real(75), real(75), zeros(150), zeros(2), 75, 1e-3),
            2,
            size,
            f"of_{size}",
        )
        for size in (32, 96, 1024)
    ),
    Case("block_learning", "rms_norm<32, 3>", "x, weight, eps", (real(192), real(96), 1e-3), 2, 32),
    Case("block_learning", "rms_norm<256, 2>", "x, weight", (real(512), real(512), 1e-3), 1, 256),
    Case(
        "block_learning",
        "batch_norm",
        "x, gain, bias, y",
        (real(3 * 4 * 10), real(4), real(4), zeros(120), 3, 4, 10),
        4,
        16,
    ),
    Case(
        "block_learning",
        "batch_norm",
        "x, gain, bias, y",
        (real(3 * 4 * 10), real(4), real(4), zeros(120), 3, 4, 10),
        4,
        64,
        "more_threads",
    ),
    Case(
        "block_learning",
        "flash_attention<3, 8>",
        "Q, K, V, O, scale",
        (shaped(21, 3), shaped(21, 3), shaped(21, 3), zeros(63), 21, 0.6, 0),
        2,
        16,
    ),
    Case(
        "block_learning",
        "flash_attention<2, 4>",
        "Q, K, V, O, scale",
        (shaped(33, 2), shaped(33, 2), shaped(33, 2), zeros(66), 33, 0.8, 1),
        1,
        33,
        "causal",
    ),
    Case(
        "block_learning",
        "attention_row",
        "q, keys, values, out",
        (shaped(2, 5), shaped(40, 5), shaped(40, 5), zeros(10), 40, 5),
        2,
        32,
        shared_mem=576,
    ),
    Case(
        "block_learning",
        "weighed_histogram",
        "x, weight, loss",
        (real(100), real(7), zeros(1), 100, 7),
        2,
        32,
        shared_mem=56,
    ),
    Case(
        "block_learning",
        "dropout",
        "x, skip, y, keep",
        (real(80), real(80), zeros(80), zeros(80, "u1"), 80, 5, 0.7),
        3,
        33,
    ),
)

# Their shared memory is made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
