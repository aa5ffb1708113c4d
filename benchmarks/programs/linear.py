"""Products of matrices, and forces between all pairs."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Goals, Operations, Run, blocks, uniform, zeros


def by_columns(n: int) -> Run:
    return Run([zeros(n), uniform(-1.0, 1.0, (n, n)), uniform(-1.0, 1.0, n, seed=2), n], blocks(n, 64), 64)


def particles(n: int) -> Run:
    places = [uniform(0.0, 6.0, n, seed=seed) for seed in (1, 2, 3)]
    return Run([zeros(n), *places, n], blocks(n, 128), 128, operations=Operations(20.0 * n * n, 33.0 * n * n))


def tiles(n: int) -> Run:
    factors = [uniform(-1.0, 1.0, (n, n), "f4", seed) for seed in (1, 2)]
    cubed = float(n) ** 3
    return Run(
        [*factors, zeros((n, n), "f4"), n],
        (n // 16, n // 16),
        (16, 16),
        operations=Operations(2 * cubed, 4 * cubed, "float"),
    )


def gemm(name: str, n: int) -> Benchmark:
    return Benchmark(
        name,
        "gemm",
        "C",
        "A, B",
        tiles,
        {"n": n},
        {"n": 48},
        by_hand=(ByHand("gemm_by_hand<{fresh}>"), ByHand("gemm_retiled<{fresh}>", "re-tiled")),
        goals=Goals((0.4, 0.4), (6.0, 6.0), (2.6, 2.6)),
    )


BENCHMARKS = [
    Benchmark(
        "gemv",
        "gemv",
        "out",
        "A, x",
        by_columns,
        {"n": 8192},
        {"n": 130},
        by_hand=(ByHand("gemv_by_hand<{fresh}>"), ByHand("gemv_retiled<{fresh}>", "re-tiled")),
        goals=Goals((0.3, 0.4), (4.0, 6.0), (1.0, 1.0), 0.276),
    ),
    Benchmark(
        "lj",
        "lj",
        "e",
        "x, y, z",
        particles,
        {"n": 4096},
        {"n": 150},
        by_hand=(ByHand("lj_by_hand<{fresh}>"), ByHand("lj_retiled<{fresh}>", "re-tiled")),
        goals=Goals((0.07, 0.07), (1.0, 1.0), (0.5, 0.5), frameworks_ms=0.307),
    ),
    gemm("gemm512", 512),
    gemm("gemm4096", 4096),
]
