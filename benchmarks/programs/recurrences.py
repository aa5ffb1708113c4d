"""A state that each thread carries through a loop. These fit into the L2, so that times go by the steps."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Goals, Operations, Run, blocks, uniform, zeros


def steps(n: int, m: int) -> Run:
    return Run([uniform(-1.0, 1.0, n), zeros(n), m], n // 256, 256, operations=Operations(20.0 * n * m, 27.0 * n * m))


def squares(n: int, m: int) -> Run:
    return Run(
        [zeros(n), uniform(0.0, 1.0, n), m, n],
        blocks(n, 128),
        128,
        operations=Operations(3.0 * n * m, 6.0 * n * m),
    )


def rec(name: str, n: int, m: int, limit: float, must: float, aim: float, frameworks: float) -> Benchmark:
    return Benchmark(
        name,
        "rec",
        "out",
        "x",
        squares,
        {"n": n, "m": m},
        {"n": 200, "m": 7 if m < 256 else 40},
        by_hand=(ByHand("rec_by_hand<{fresh}>"),),
        by_threads=(lambda n: {"n": n, "m": 64}) if name == "rec64" else None,
        by_work=(lambda m: {"n": 1 << 16, "m": m}) if name == "rec64" else None,
        goals=Goals((limit, limit), (must, must), (aim, aim), frameworks),
    )


BENCHMARKS = [
    Benchmark(
        "loopn",
        "loopn",
        "y",
        "x",
        steps,
        {"n": 1 << 20, "m": 64},
        {"n": 256, "m": 9},
        by_work=lambda m: {"n": 1 << 16, "m": m},
        by_hand=(ByHand("loopn_by_hand<{fresh}>"),),
        goals=Goals((1.36, 1.36), (2.4, 2.4), (1.7, 1.7), frameworks_ms=1.48),
    ),
    rec("rec16", 1 << 20, 16, 1.0, 2.0, 1.6, 0.565),
    rec("rec64", 1 << 20, 64, 1.7, 2.6, 2.0, 2.09),
    rec("rec256", 1 << 20, 256, 1.9, 3.0, 2.3, 8.27),
    rec("rec256_16k", 1 << 14, 256, 1.1, 2.0, 1.3, 2.78),
]
