"""Filters in shared memory, whose adjoints are filters too."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Run, blocks, uniform, zeros


def image(n: int) -> Run:
    values = [zeros((n, n), "f4"), uniform(-1.0, 1.0, (n, n), "f4"), uniform(0.0, 0.2, 11, "f4"), n, n]
    return Run(values, (blocks(n, 16), blocks(n, 16)), (16, 16))


BENCHMARKS = [
    Benchmark(
        "filter",
        "filter",
        "out",
        "in",
        image,
        {"n": 4096},
        {"n": 40},
        by_hand=(ByHand("filter_by_hand<{fresh}>"),),
    ),
]
