"""What the threads of a block, or of a warp, do together."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Goals, Run, uniform, zeros


def reduced(n: int) -> Run:
    return Run([uniform(-1.0, 1.0, n), zeros(n // 256), n], n // 256)


def in_blocks(n: int) -> Run:
    return Run([uniform(-1.0, 1.0, n), zeros(n)], n // 1024, 1024)


def in_warps(n: int) -> Run:
    return Run([uniform(-1.0, 1.0, n), zeros(n)], n // 32, 32)


BENCHMARKS = [
    Benchmark(
        "blockred",
        "blockred",
        "y",
        "x",
        reduced,
        {"n": 1 << 24},
        {"n": 768},
        by_threads=lambda n: {"n": n},
        by_hand=(ByHand("blockred_by_hand<{fresh}>"),),
        goals=Goals((0.8, 1.2), (1.5, 2.0), (0.8, 1.2), frameworks_ms=0.08),
    ),
    Benchmark(
        "ctasync",
        "ctasync",
        "y",
        "x",
        in_blocks,
        {"n": 1 << 20},
        {"n": 2048},
        by_hand=(ByHand("ctasync_by_hand<{fresh}>"),),
        goals=Goals((1.0, 1.4), (1.5, 2.0), (1.0, 1.4)),
    ),
    Benchmark(
        "wsync",
        "wsync",
        "y",
        "x",
        in_warps,
        {"n": 1 << 20},
        {"n": 96},
        by_hand=(ByHand("wsync_by_hand<{fresh}>"),),
        goals=Goals((1.0, 1.0), (1.3, 1.5), (1.0, 1.0)),
    ),
]
