"""Rows that the threads of a block share: scans, losses over classes, merged means."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Benchmark, ByHand, Run, blocks, normal, zeros


def scanned(rows: int, columns: int) -> Run:
    arrays = [zeros((rows, columns), "f4"), normal((rows, columns), "f4")]
    return Run([*arrays, rows, columns], blocks(rows, 8), (16, 8))


def classified(rows: int, classes: int) -> Run:
    labels = np.random.default_rng(4).integers(0, classes, rows).astype("i4")
    arrays = [zeros(rows, "f4"), normal((rows, classes), "f4"), labels]
    return Run([*arrays, classes, 0.1], rows, 256, shared_mem=1024)


def merged(rows: int, columns: int) -> Run:
    arrays = [zeros((rows, columns), "f4"), normal((rows, columns), "f4")]
    return Run([*arrays, rows, columns, 1e-5], blocks(rows, 8), (32, 8))


BENCHMARKS = [
    Benchmark(
        "running_sums",
        "running_sums<16, 8>",
        "y",
        "x",
        scanned,
        {"rows": 1 << 16, "columns": 512},
        {"rows": 21, "columns": 83},
        by_hand=(ByHand("running_sums_by_hand<{fresh}>", "re-tiled"),),
    ),
    Benchmark(
        "smoothed_loss",
        "smoothed_loss",
        "losses",
        "x",
        classified,
        {"rows": 1 << 13, "classes": 4096 + 100},
        {"rows": 5, "classes": 1300},
        by_hand=(ByHand("smoothed_loss_by_hand<{fresh}>"),),
    ),
    Benchmark(
        "merged_means",
        "merged_means",
        "y",
        "x",
        merged,
        {"rows": 1 << 16, "columns": 512},
        {"rows": 13, "columns": 256},
        by_hand=(ByHand("merged_means_by_hand<{fresh}>"),),
    ),
]
