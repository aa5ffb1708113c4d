"""Rows of a table by number."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Benchmark, ByHand, Run, Traffic, blocks, normal, zeros


def looked_up(count: int, columns: int, words: int, length: int) -> Run:
    tokens = np.random.default_rng(3).integers(0, words, count).astype("i4")
    length = min(length, count)
    row = 4.0 * columns
    out, numbers, positions = row * count, 4.0 * count, row * length
    used = row * len(np.unique(tokens))
    return Run(
        [
            *(zeros((count, columns), "f4"), normal((words, columns), "f4"), normal((length, columns), "f4", 2)),
            *(tokens, length, columns, count),
        ],
        blocks(count * columns, 256),
        traffic=Traffic(
            out + used + positions + numbers,
            out + numbers + used + positions,
            2 * out + numbers + 2 * used + 2 * positions,
        ),
    )


BENCHMARKS = [
    Benchmark(
        "embedding",
        "embedding",
        "out",
        "table, positions",
        looked_up,
        {"count": 1 << 16, "columns": 768, "words": 50257, "length": 1024},
        {"count": 12, "columns": 16, "words": 7, "length": 4},
        by_hand=(ByHand("embedding_by_hand<{fresh}>"),),
    ),
]
