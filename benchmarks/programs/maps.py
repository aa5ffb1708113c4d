"""One element for each thread."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Benchmark, ByHand, Goals, Run, blocks, uniform, zeros


def from_x(n: int) -> Run:
    return Run([uniform(-1.0, 1.0, n), zeros(n), n], blocks(n, 256))


def to_out(n: int) -> Run:
    return Run([zeros(n), uniform(-1.0, 1.0, n), n], blocks(n, 256))


def with_parameters(n: int) -> Run:
    return Run([zeros(n), uniform(-1.0, 1.0, n), np.array([0.7, 0.2]), n], blocks(n, 256))


def options(n: int) -> Run:
    prices = [uniform(low, high, n, "f4", seed) for seed, (low, high) in enumerate([(20, 80), (20, 80), (0.25, 5)])]
    return Run([zeros(n, "f4"), *prices, np.float32(0.02), np.float32(0.3), n], blocks(n, 256))


FULL, SMALL = {"n": 1 << 24}, {"n": 600}
OPTIONS = dict(function="bs", outputs="out", setup=options, full=FULL, small=SMALL, step=3.0)

BENCHMARKS = [
    Benchmark(
        "square",
        "square",
        "y",
        "x",
        from_x,
        FULL,
        SMALL,
        by_hand=(ByHand("square_by_hand<{fresh}>"),),
        goals=Goals((1.3, 2.2), (1.5, 2.4), (1.3, 2.2), frameworks_ms=0.102),
    ),
    Benchmark(
        "elem",
        "elem",
        "out",
        "x",
        to_out,
        FULL,
        SMALL,
        by_hand=(ByHand("elem_by_hand<{fresh}>"),),
        goals=Goals((1.2, 1.9), (1.4, 2.2), (1.2, 1.9), frameworks_ms=0.152),
    ),
    Benchmark(
        "mathy",
        "mathy",
        "y",
        "x",
        from_x,
        FULL,
        SMALL,
        by_hand=(ByHand("mathy_by_hand<{fresh}>"),),
        goals=Goals((1.15, 1.2), (1.3, 1.4), (1.15, 1.2), frameworks_ms=0.231),
    ),
    Benchmark(
        "bcast",
        "bcast",
        "y",
        "x",
        from_x,
        FULL,
        SMALL,
        by_hand=(ByHand("bcast_by_hand<{fresh}>", "persistent"),),
        goals=Goals((1.4, 2.3), (2.2, 2.8), (1.5, 2.4), frameworks_ms=0.15),
    ),
    Benchmark(
        "scal",
        "scal",
        "out",
        "x, p",
        with_parameters,
        {"n": 1 << 22},
        SMALL,
        by_hand=(ByHand("scal_by_hand<{fresh}>", "persistent"),),
        goals=Goals((1.2, 2.0), (2.8, 3.0), (1.5, 2.4), frameworks_ms=0.058),
    ),
    Benchmark(
        "bs",
        inputs="S, X, T",
        by_hand=(ByHand("bs_by_hand<{fresh}>"),),
        goals=Goals((1.3, 2.0), (1.6, 2.4), (1.4, 2.1), frameworks_ms=0.141),
        **OPTIONS,
    ),
    Benchmark(
        "bs_all",
        inputs="S, X, T, R, Vol",
        by_hand=(ByHand("bs_all_by_hand<{fresh}>", "persistent"),),
        goals=Goals((1.3, 2.0), (1.9, 2.6), (1.4, 2.1)),
        **OPTIONS,
    ),
]
