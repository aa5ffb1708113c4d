"""Forces between bodies."""

from __future__ import annotations

import itertools

import numpy as np

from benchmarks.program import Benchmark, ByHand, Goals, Operations, Run, Traffic, blocks, uniform, zeros


def all_pairs(n: int) -> Run:
    bodies = uniform(-1.0, 1.0, (n, 4), "f4")
    bodies[:, 3] = uniform(0.5, 1.5, n, "f4", 2)
    cotangent = uniform(-1.0, 1.0, (n, 4), "f4", 3)
    pairs = float(n) * n
    return Run(
        [zeros((n, 4), "f4"), bodies, n, np.float32(0.05)],
        blocks(n, 256),
        operations=Operations(20 * pairs, 33 * pairs, "float"),
        cotangents={"acceleration": cotangent},
    )


def neighbours(edge: int) -> Run:
    """Atoms near the points of a periodic lattice, of which each has the 26 around it on its list; those beyond the
    edge are out of reach."""
    n = edge**3
    at = np.stack(np.meshgrid(*[np.arange(edge)] * 3, indexing="ij"), -1).reshape(n, 3)
    places = 1.1 * at + uniform(-0.06, 0.06, (n, 3), seed=3)
    lists = []
    for step in itertools.product((-1, 0, 1), repeat=3):
        if any(step):
            near = (at + step) % edge
            lists.append(((near[:, 0] * edge + near[:, 1]) * edge + near[:, 2]).astype("i4"))
    table = np.stack(lists)
    moved = 24.0 * n  # bytes of places, of forces
    return Run(
        [zeros((n, 3)), places, table, len(lists), n, 4.0],
        blocks(n, 128),
        128,
        traffic=Traffic(2 * moved + table.nbytes, 3 * moved + table.nbytes, 5 * moved + table.nbytes),
    )


BENCHMARKS = [
    Benchmark(
        "nbody",
        "nbody",
        "acceleration",
        "bodies",
        all_pairs,
        {"n": 1 << 16},
        {"n": 300},
        by_hand=(ByHand("nbody_by_hand<{fresh}>"),),
        tolerance=1e-3,
        step=0.1,
        goals=Goals((1.65, None), (3.0, None), (1.65, None)),
    ),
    Benchmark(
        "lj_neighbours",
        "lj_neighbours",
        "force",
        "place",
        neighbours,
        {"edge": 100},
        {"edge": 4},
        by_hand=(
            ByHand("lj_neighbours_scattered<{fresh}>"),
            ByHand("lj_neighbours_by_hand<{fresh}>", "symmetric lists"),
        ),
        step=0.1,
    ),
]
