"""Greeks by Monte Carlo."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Benchmark, ByHand, Goals, Operations, Run, blocks, normal, uniform, zeros


def of_steps(n: int, steps: int) -> Run:
    parameters = [np.array([100.0], "f4"), uniform(0.15, 0.3, steps, "f4"), uniform(0.01, 0.05, steps, "f4", 2)]
    numbers = [np.float32(90.0), np.float32(-0.3), np.float32(0.5 / steps), steps, n]
    return Run(
        [zeros(n, "f4"), *parameters, normal((steps, n), "f4"), *numbers],
        blocks(n, 128),
        128,
        operations=Operations(20.0 * n * steps, 40.0 * n * steps, "float"),
        cotangents={"payoff": uniform(0.5, 1.5, n, "f4", 3)},
    )


BENCHMARKS = [
    Benchmark(
        "path_greeks",
        "paths",
        "payoff",
        "spot, volatility, rate",
        of_steps,
        {"n": 1 << 20, "steps": 80},
        {"n": 200, "steps": 10},
        by_hand=(ByHand("paths_by_hand<{fresh}>"),),
        tolerance=1e-3,
        step=0.05,
        goals=Goals((2.0, 2.0), (4.0, 4.0), (2.0, 2.0)),
    ),
]
