"""Eigenvalues and eigenvectors of many small matrices."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Operations, Run, blocks, uniform, zeros


def matrices(n: int) -> Run:
    # eigenvalues are well apart
    made = uniform(-0.5, 0.5, (6, n)).copy()
    made[0] += 1.0
    made[1] += 3.0
    made[2] += 5.0
    return Run(
        [zeros((3, n)), zeros((9, n)), made, n], blocks(n, 128), 128, operations=Operations(700.0 * n, 900.0 * n)
    )


BENCHMARKS = [
    Benchmark(
        "eigen_3x3",
        "eigen",
        "values, vectors",
        "matrices",
        matrices,
        {"n": 1 << 21},
        {"n": 100},
        by_hand=(ByHand("eigen_reversed<{fresh}>"), ByHand("eigen_by_hand<{fresh}>", "of what it converges to")),
    ),
]
