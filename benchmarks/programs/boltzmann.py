"""A step of the lattice Boltzmann method in two and three dimensions, and a hundred of them from the host."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Benchmark, ByHand, Goals, Run, Traffic, blocks, uniform, zeros

WEIGHTS = {9: [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, 19: [1 / 3] + [1 / 18] * 6 + [1 / 36] * 12}


def populations(kinds: int, cells: int) -> np.ndarray:
    made = np.empty((kinds, cells), "f4")
    for k, weight in enumerate(WEIGHTS[kinds]):
        made[k] = uniform(0.9 * weight, 1.1 * weight, cells, "f4", k)
    return made


def plane(nx: int, ny: int) -> Run:
    cells = nx * ny
    return Run([zeros((9, cells), "f4"), populations(9, cells), nx, ny, np.float32(1.2)], (blocks(nx, 128), ny), 128)


def space(nx: int, ny: int, nz: int) -> Run:
    cells = nx * ny * nz
    arrays = [zeros((19, cells), "f4"), populations(19, cells)]
    return Run([*arrays, nx, ny, nz, np.float32(1.2)], (blocks(nx, 128), ny, nz), 128)


def steps_in_space(nx: int, ny: int, nz: int, steps: int) -> Run:
    cells = nx * ny * nz
    step = 19 * 4.0 * cells  # bytes of all populations
    return Run(
        [populations(19, cells), zeros((19, cells), "f4"), nx, ny, nz, np.float32(1.2), steps],
        1,
        1,
        traffic=Traffic(2 * step * steps, 5 * step * steps, 5 * step * steps),
    )


BENCHMARKS = [
    Benchmark(
        "lbm_d2q9",
        "d2q9",
        "out",
        "in",
        plane,
        {"nx": 4096, "ny": 4096},
        {"nx": 7, "ny": 5},
        by_threads=lambda n: {"nx": max(128, n >> 12), "ny": min(n >> 7, 1 << 12)},
        by_hand=(ByHand("d2q9_by_hand<{fresh}>"),),
        step=0.02,
    ),
    Benchmark(
        "lbm_d3q19",
        "d3q19",
        "out",
        "in",
        space,
        {"nx": 240, "ny": 240, "nz": 150},
        {"nx": 5, "ny": 4, "nz": 3},
        by_hand=(ByHand("d3q19_by_hand<{fresh}>"),),
        step=0.02,
        goals=Goals((1.5, None), (2.0, None), (1.5, None)),
    ),
    Benchmark(
        "lbm_100_steps",
        "d3q19_steps",
        "",
        "",
        steps_in_space,
        {"nx": 120, "ny": 120, "nz": 150, "steps": 100},
        {"nx": 5, "ny": 4, "nz": 3, "steps": 4},
        updated="state",
        by_hand=(ByHand("d3q19_steps_by_hand<{fresh}>"),),
        step=0.02,
        goals=Goals((None, 2.5), (None, 4.5), (None, 2.5)),
    ),
]
