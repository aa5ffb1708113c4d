"""Functions of one number, four at a time, and a sum."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Run, blocks, normal, zeros


def one(n: int) -> Run:
    return Run([zeros(4 * n, "f4"), normal(4 * n, "f4"), n], blocks(n, 256))


def two(n: int) -> Run:
    return Run([zeros(4 * n, "f4"), normal(4 * n, "f4", 1), normal(4 * n, "f4", 2), n], blocks(n, 256))


FULL, SMALL = {"n": 1 << 24}, {"n": 300}

BENCHMARKS = [
    Benchmark(
        "gelu",
        "gelu",
        "y",
        "x",
        one,
        FULL,
        SMALL,
        by_threads=lambda n: {"n": n},
        by_hand=(ByHand("activation_by_hand<Gelu, {fresh}>"),),
    ),
    Benchmark("silu", "silu", "y", "x", one, FULL, SMALL, by_hand=(ByHand("activation_by_hand<Silu, {fresh}>"),)),
    Benchmark(
        "residual",
        "residual",
        "y",
        "a, b",
        two,
        FULL,
        SMALL,
        by_hand=(ByHand("residual_by_hand<{fresh}>"),),
        needed="",
    ),
]
