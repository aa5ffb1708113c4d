"""A barrier of cooperative groups."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Goals
from benchmarks.programs.together import in_blocks

BENCHMARKS = [
    Benchmark(
        "ctasync_groups",
        "ctasync_groups",
        "y",
        "x",
        in_blocks,
        {"n": 1 << 20},
        {"n": 2048},
        by_hand=(ByHand("ctasync_by_hand<{fresh}>"),),
        goals=Goals((1.0, 1.4), (1.5, 2.0), (1.0, 1.4)),
    ),
]
