"""Options on binomial trees in shared memory."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Operations, Run, uniform, zeros


def trees(options: int, steps: int) -> Run:
    inputs = [(90.0, 110.0), (90.0, 110.0), (0.5, 2.0), (0.2, 0.4), (0.01, 0.06)]
    nodes = 0.5 * options * steps * (steps + 1)
    return Run(
        [zeros(options), *(uniform(low, high, options, seed=k) for k, (low, high) in enumerate(inputs))],
        options,
        steps + 1,
        operations=Operations(25 * nodes, 45 * nodes),
    )


BENCHMARKS = [
    Benchmark(
        "binomial_options",
        "binomial",
        "price",
        "spot, strike, years, volatility, rate",
        trees,
        {"options": 4096, "steps": 255},
        {"options": 3, "steps": 15},
        by_hand=(ByHand("binomial_by_hand<{fresh}>"),),
    ),
]
