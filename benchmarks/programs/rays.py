"""Volume rendering."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Run, blocks, uniform, zeros


def through(rays: int, count: int) -> Run:
    # most rays end before the last sample
    samples = uniform(0.0, 1.0, (count, rays, 4), "f4").copy()
    samples[..., 3] *= 8.0
    return Run(
        [zeros((rays, 3), "f4"), samples, uniform(0.01, 0.05, rays, "f4", 2), count, rays], blocks(rays, 128), 128
    )


BENCHMARKS = [
    Benchmark(
        "volume_rendering",
        "render",
        "colour",
        "samples, steps",
        through,
        {"rays": 1 << 18, "count": 128},
        {"rays": 150, "count": 40},
        by_hand=(ByHand("render_by_hand<{fresh}>"),),
        tolerance=1e-3,
        step=0.02,
    ),
]
