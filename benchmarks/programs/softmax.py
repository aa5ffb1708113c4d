"""Long rows: their softmax, and what a classifier loses."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Benchmark, ByHand, Goals, Run, normal, zeros


def rows_of(rows: int, columns: int) -> Run:
    threads = 1024 if columns > 1024 else 64
    return Run([zeros((rows, columns), "f4"), normal((rows, columns), "f4"), columns], rows, threads)


def classified(rows: int, columns: int) -> Run:
    threads = 1024 if columns > 1024 else 64
    targets = np.random.default_rng(4).integers(0, columns, rows).astype("i4")
    return Run([zeros(rows, "f4"), normal((rows, columns), "f4"), targets, columns], rows, threads)


FULL, SMALL = {"rows": 2048, "columns": 50257}, {"rows": 3, "columns": 150}

BENCHMARKS = [
    Benchmark(
        "softmax",
        "softmax",
        "y",
        "x",
        rows_of,
        FULL,
        SMALL,
        by_hand=(ByHand("softmax_by_hand<{fresh}>"),),
        goals=Goals((1.5, None), (2.2, None), (1.5, None)),
        tolerance=3e-4,  # sums of 50,257 numbers
    ),
    Benchmark(
        "cross_entropy",
        "cross_entropy",
        "loss",
        "x",
        classified,
        FULL,
        SMALL,
        by_hand=(ByHand("cross_entropy_by_hand<{fresh}>"),),
        tolerance=3e-4,
    ),
]
