"""Rows of which a warp makes one number."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Run, blocks, normal, zeros


def reduced(rows: int, columns: int) -> Run:
    return Run([zeros(rows, "f4"), normal((rows, columns), "f4"), rows, columns], blocks(rows, 8), 256)


def multiplied(rows: int, columns: int) -> Run:
    arrays = [zeros(rows, "f4"), normal((rows, columns), "f4"), normal(columns, "f4", 2)]
    return Run([*arrays, rows, columns], blocks(rows, 8), 256)


FULL, SMALL = {"rows": 1 << 16, "columns": 1024}, {"rows": 21, "columns": 128}

BENCHMARKS = [
    Benchmark(
        "mean_squares",
        "mean_squares",
        "y",
        "x",
        reduced,
        FULL,
        SMALL,
        by_hand=(ByHand("mean_squares_by_hand<{fresh}>"),),
    ),
    Benchmark(
        "row_products",
        "row_products",
        "y",
        "x, w",
        multiplied,
        FULL,
        SMALL,
        by_hand=(ByHand("row_products_by_hand<{fresh}>", "re-tiled"),),
    ),
    Benchmark(
        "log_sums",
        "log_sums",
        "y",
        "x",
        reduced,
        FULL,
        SMALL,
        by_hand=(ByHand("log_sums_by_hand<{fresh}>"),),
    ),
]
