"""A recurrence over 2,048 steps."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Operations, Run, blocks, normal, uniform, zeros


def scanned(channels: int, steps: int, sequences: int) -> Run:
    whole, shared = (sequences, steps, channels), (sequences, steps, 4)
    count = 4.0 * sequences * steps * channels
    return Run(
        [
            *(zeros(whole, "f4"), normal(whole, "f4"), uniform(0.01, 0.1, whole, "f4", 2)),
            *(uniform(-4.0, -0.5, (channels, 4), "f4", 3), normal(shared, "f4", 4), normal(shared, "f4", 5)),
            *(channels, steps, sequences),
        ],
        (blocks(channels, 128), sequences),
        128,
        operations=Operations(12 * count, 40 * count, "float"),
    )


BENCHMARKS = [
    Benchmark(
        "state_space",
        "state_space",
        "y",
        "x, delta, A, B, C",
        scanned,
        {"channels": 2048, "steps": 2048, "sequences": 16},
        {"channels": 40, "steps": 70, "sequences": 2},
        by_work=lambda m: {"channels": 1024, "steps": m, "sequences": 8},
        by_hand=(ByHand("state_space_by_hand<{fresh}>"),),
        tolerance=1e-3,
        step=0.03,
    ),
]
