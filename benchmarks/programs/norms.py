"""Rows that are normalised."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Goals, Run, blocks, normal, uniform, zeros


def layer(rows: int, columns: int) -> Run:
    arrays = [zeros((rows, columns), "f4"), normal((rows, columns), "f4")]
    weights = [uniform(0.5, 1.5, columns, "f4"), normal(columns, "f4")]
    return Run([*arrays, *weights, rows, columns], blocks(rows, 8), 256)


def rms(rows: int, columns: int) -> Run:
    arrays = [zeros((rows, columns), "f4"), normal((rows, columns), "f4"), uniform(0.5, 1.5, columns, "f4")]
    return Run([*arrays, rows, columns], blocks(rows, 8), 256)


FULL, SMALL = {"rows": 1 << 16, "columns": 768}, {"rows": 21, "columns": 64}
GOALS = Goals((1.5, None), (2.2, None), (1.5, None))

BENCHMARKS = [
    Benchmark(
        "layer_norm",
        "layer_norm",
        "y",
        "x, w, b",
        layer,
        FULL,
        SMALL,
        by_hand=(ByHand("layer_norm_by_hand<{fresh}>"),),
        goals=GOALS,
    ),
    Benchmark(
        "rms_norm",
        "rms_norm",
        "y",
        "x, w",
        rms,
        FULL,
        SMALL,
        by_hand=(ByHand("rms_norm_by_hand<{fresh}>"),),
        goals=GOALS,
    ),
]
