"""Layers of networks."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Operations, Run, blocks, normal, zeros


def product(rows: int, columns: int, depth: int) -> Run:
    inputs = [normal((rows, depth), "f4"), normal((depth, columns), "f4", 2), normal(columns, "f4", 3)]
    count = 2.0 * rows * columns * depth
    return Run(
        [zeros((rows, columns), "f4"), *inputs, rows, columns, depth],
        (columns // 16, rows // 16),
        (16, 16),
        operations=Operations(count, 2 * count, "float"),
    )


def convolved(images: int, inputs: int, channels: int, edge: int) -> Run:
    arrays = [
        zeros((images, channels, edge - 2, edge - 2), "f4"),
        normal((images, inputs, edge, edge), "f4"),
        normal((channels, inputs, 3, 3), "f4", 2),
        normal(channels, "f4", 3),
    ]
    count = 18.0 * images * inputs * channels * edge * edge
    return Run(
        [*arrays, inputs, channels, edge, edge],
        (blocks(edge - 2, 32), blocks(edge - 2, 8), images * channels),
        (32, 8),
        operations=Operations(count, 2 * count, "float"),
    )


BENCHMARKS = [
    Benchmark(
        "matmul_bias",
        "linear",
        "out",
        "x, w, b",
        product,
        {"rows": 4096, "columns": 3072, "depth": 768},
        {"rows": 32, "columns": 48, "depth": 16},
        by_hand=(ByHand("linear_by_hand<{fresh}, false>"), ByHand("linear_by_hand<{fresh}, true>", "re-tiled")),
        tolerance=3e-4,
    ),
    Benchmark(
        "convolution",
        "convolution",
        "out",
        "in, w, bias",
        convolved,
        {"images": 32, "inputs": 16, "channels": 16, "edge": 130},
        {"images": 2, "inputs": 2, "channels": 3, "edge": 10},
        by_hand=(ByHand("convolution_by_hand<{fresh}>"),),
        tolerance=3e-4,
    ),
]
