"""Objects of several numbers, whose adjoints are added to at once."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Benchmark, ByHand, Run, blocks, normal, uniform, zeros


def looked_up(count: int, columns: int, words: int, length: int) -> Run:
    tokens = np.random.default_rng(3).integers(0, words, count).astype("i4")
    rows = [zeros((count, columns, 4), "f4"), normal((words, columns, 4), "f4"), normal((length, columns, 4), "f4", 2)]
    return Run([*rows, tokens, length, columns, count], blocks(count * columns, 256))


def hashed(count: int, size: int) -> Run:
    at = uniform(0.0, 1.0, (count, 2), "f4")
    return Run([at, normal((size, 2), "f4"), zeros((count, 2), "f4"), size, 512.0, count], blocks(count, 256))


def blended(width: int, height: int, count: int) -> Run:
    blobs = uniform(0.0, 1.0, (count, 8), "f4").copy()
    blobs[:, 2:5] = 50.0, 5.0, 60.0
    return Run([blobs, zeros((width * height, 3), "f4"), width, height, count], (width // 16, height // 16), (16, 16))


BENCHMARKS = [
    Benchmark(
        "rows_by_fours",
        "rows_by_fours",
        "out",
        "table, positions",
        looked_up,
        {"count": 1 << 16, "columns": 192, "words": 50257, "length": 1024},
        {"count": 12, "columns": 4, "words": 7, "length": 4},
        by_hand=(ByHand("rows_by_hand<{fresh}>"),),
    ),
    Benchmark(
        "encoding",
        "encoding",
        "out",
        "table",
        hashed,
        {"count": 1 << 22, "size": 1 << 19},
        {"count": 300, "size": 64},
        by_hand=(ByHand("encoding_by_hand<{fresh}>"),),
    ),
    Benchmark(
        "blending",
        "blending",
        "picture",
        "blobs",
        blended,
        {"width": 1024, "height": 1024, "count": 128},
        {"width": 32, "height": 16, "count": 5},
        by_hand=(ByHand("blending_by_hand<{fresh}>"),),
        tolerance=1e-3,
    ),
]
