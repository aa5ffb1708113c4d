"""Fields on grids in two and three dimensions."""

from __future__ import annotations

from benchmarks.program import Benchmark, ByHand, Run, Traffic, blocks, uniform, zeros


def space(nx: int, ny: int, nz: int) -> Run:
    shape = (nz, ny, nx)
    return Run(
        [zeros(shape), uniform(-1.0, 1.0, shape), uniform(-1.0, 1.0, shape, seed=2), nx, ny, nz, 0.1, 0.01],
        (blocks(nx, 32), blocks(ny, 8), nz),
        (32, 8),
    )


def plane(nx: int, ny: int) -> Run:
    fields = [uniform(-1.0, 1.0, (ny, nx), seed=seed) for seed in (1, 2)]
    return Run(
        [zeros((ny, nx)), zeros((ny, nx)), *fields, nx, ny, 0.02, 0.01, 0.1],
        (blocks(nx, 32), blocks(ny, 8)),
        (32, 8),
    )


def steps_in_plane(nx: int, ny: int, steps: int) -> Run:
    fields = [uniform(-1.0, 1.0, (ny, nx), seed=seed) for seed in (1, 2)]
    step = 16.0 * nx * ny  # bytes of both fields
    return Run(
        [*fields, zeros((ny, nx)), zeros((ny, nx)), nx, ny, 0.02, 0.01, 0.1, steps],
        1,
        1,
        traffic=Traffic(2 * step * steps, 5 * step * steps, 5 * step * steps),
    )


BENCHMARKS = [
    Benchmark(
        "stencil_3d",
        "diffusion",
        "next",
        "u, source",
        space,
        {"nx": 512, "ny": 512, "nz": 128},
        {"nx": 9, "ny": 7, "nz": 5},
        by_hand=(ByHand("diffusion_by_hand<{fresh}>"),),
        needed="",
    ),
    Benchmark(
        "burgers",
        "burgers",
        "next_u, next_v",
        "u, v",
        plane,
        {"nx": 4096, "ny": 4096},
        {"nx": 11, "ny": 9},
        by_hand=(ByHand("burgers_by_hand<{fresh}>"),),
    ),
    Benchmark(
        "burgers_10_steps",
        "burgers_steps",
        "",
        "",
        steps_in_plane,
        {"nx": 4096, "ny": 4096, "steps": 10},
        {"nx": 11, "ny": 9, "steps": 4},
        updated="u, v",
        by_hand=(ByHand("burgers_steps_by_hand<{fresh}>"),),
    ),
]
