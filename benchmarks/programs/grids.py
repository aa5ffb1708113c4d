"""Stencils in two dimensions."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.program import Benchmark, ByHand, Goals, Run, blocks, uniform, zeros


def rows(n: int) -> Run:
    return Run([uniform(-1.0, 1.0, (n, n)), zeros((n, n)), n], (blocks(n, 256), n), 256)


def tiles(n: int) -> Run:
    return Run([zeros((n, n)), uniform(-1.0, 1.0, (n, n)), n, n], (blocks(n, 32), blocks(n, 8)), (32, 8))


GOALS = Goals((1.4, 2.3), (2.0, 3.0), (1.5, 2.4))

BENCHMARKS = [
    Benchmark(
        "stencil",
        "stencil",
        "v",
        "u",
        rows,
        {"n": 4096},
        {"n": 20},
        by_hand=(ByHand("stencil_by_hand<{fresh}>"),),
        goals=replace(GOALS, frameworks_ms=0.208),
    ),
    Benchmark(
        "heat",
        "heat",
        "out",
        "u",
        tiles,
        {"n": 4096},
        {"n": 20},
        by_hand=(ByHand("heat_by_hand<{fresh}>"),),
        goals=GOALS,
    ),
]
