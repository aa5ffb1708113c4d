"""Causal attention."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Operations, Run, blocks, normal, zeros


def causal(heads: int, length: int) -> Run:
    shape = (heads, length, 32)
    pairs = 0.5 * heads * length * length * 32
    return Run(
        [zeros(shape, "f4"), *(normal(shape, "f4", seed) for seed in (1, 2, 3)), length],
        (blocks(length, 64), heads),
        64,
        operations=Operations(6 * pairs, 16 * pairs, "float"),
    )


BENCHMARKS = [
    Benchmark(
        "attention",
        "attention",
        "out",
        "queries, keys, values",
        causal,
        {"heads": 96, "length": 1024},
        {"heads": 2, "length": 40},
        by_hand=(ByHand("attention_by_hand<{fresh}>"),),
        tolerance=3e-4,
        step=0.3,
    ),
]
