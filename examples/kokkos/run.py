"""Builds the gradients of these programs with the Kokkos that is here, compares each with differences along a line, and
says how much longer it takes than its function.

    python examples/kokkos/run.py --kokkos /opt/kokkos [--size large] [norm heat ...]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import cladpy

HERE = Path(__file__).parent
SIZES = {"small": 12, "large": 1000}  # of the side of a square of numbers
_REPEATS, _STEP, _TOLERANCE = 7, 1e-6, 1e-5
Arguments = list[Any]


def norm(side: int, random: np.random.Generator) -> Arguments:
    return [random.uniform(0.5, 1.5, side * side)]


def cg_step(side: int, random: np.random.Generator) -> Arguments:
    """Each point of the square has to do with itself and its four neighbours."""
    n = side * side
    row_start = np.arange(0, 5 * n + 1, 5, dtype=np.int32)
    columns = (np.arange(n)[:, None] + np.array([-side, -1, 0, 1, side])) % n
    values = random.uniform(0.9, 1.1, (n, 5)) * np.array([-1, -1, 4.5, -1, -1])
    vectors = [random.uniform(-1.0, 1.0, n) for _ in range(3)]
    return [row_start, columns.astype(np.int32).reshape(-1), values.reshape(-1), *vectors]


def heat(side: int, random: np.random.Generator) -> Arguments:
    return [random.uniform(0.0, 1.0, (side, side)), random.uniform(0.5, 1.0, (side, side)), 0.1, 5]


def inner_product(side: int, random: np.random.Generator) -> Arguments:
    return [random.uniform(0.5, 1.5, shape) for shape in (side, (side, side), side)]


def flow(side: int, random: np.random.Generator) -> Arguments:
    n = side * side
    points = np.arange(n)
    edges = np.concatenate([np.stack([points, (points + step) % n], axis=1) for step in (1, side)])
    edges = edges[random.permutation(len(edges))]
    return [edges.astype(np.int32), random.uniform(0.5, 1.5, len(edges)), random.uniform(0.0, 1.0, n)]


def energy(side: int, random: np.random.Generator) -> Arguments:
    """A layer of molecules, each of which has eight neighbours."""
    across, along = np.meshgrid(np.arange(side), np.arange(side), indexing="ij")
    places = np.stack([across, along, np.zeros_like(across)], axis=-1).reshape(-1, 3)
    positions = places + random.uniform(-0.1, 0.1, places.shape)
    steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
    sides = [np.clip(across + a, 0, side - 1) * side + np.clip(along + b, 0, side - 1) for a, b in steps]
    neighbours = np.stack(sides, axis=-1).reshape(-1, len(steps)).astype(np.int32)
    return [positions, neighbours, 1.0, 0.8, 2.5]


def forces(side: int, random: np.random.Generator) -> Arguments:
    positions, *others = energy(side, random)
    return [positions, np.zeros_like(positions), *others]


EXAMPLES: dict[str, tuple[str, Callable[[int, np.random.Generator], Arguments]]] = {
    "norm": ("norm", norm),
    "cg_step": ("conjugate_gradients", cg_step),
    "heat": ("heat", heat),
    "inner_product": ("team_product", inner_product),
    "flow": ("edges", flow),
    "forces": ("molecules", forces),
    "energy": ("molecules", energy),
}


def copied(arguments: Arguments) -> Arguments:
    return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]


def compared(gradient: Any, arguments: Arguments, random: np.random.Generator) -> float:
    """How far the gradient is from central differences along a random direction: of the sum of the function's value and
    of what its arrays hold afterwards, each number with a weight."""
    named = [a.parameter for a in gradient.derivative.adjoints]
    shapes = [np.shape(arguments[k]) for k in named]
    along, weights = ([random.uniform(-1.0, 1.0, s or 1) for s in shapes] for _ in range(2))
    for k, weight in zip(named, weights, strict=True):
        if not isinstance(arguments[k], np.ndarray):  # a number has no content afterwards
            weight[:] = 0

    def loss(step: float) -> float:
        moved = copied(arguments)
        for k, u in zip(named, along, strict=True):
            moved[k] = moved[k] + step * (u if isinstance(moved[k], np.ndarray) else u[0])
        value = gradient.primal.execute(*moved) or 0.0
        left = (np.vdot(w, moved[k]) for k, w in zip(named, weights, strict=True) if isinstance(moved[k], np.ndarray))
        return float(value + sum(left))

    adjoints = [w.copy() for w in weights]
    gradient.execute(*copied(arguments), *adjoints)
    parts = [a * u for a, u in zip(adjoints, along, strict=True)]
    expected = (loss(_STEP) - loss(-_STEP)) / (2 * _STEP)
    size = max(1.0, float(sum(np.abs(p).sum() for p in parts)))
    return abs(float(sum(p.sum() for p in parts)) - expected) / size


def best(run: Callable[[], object]) -> float:
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def timed(gradient: Any, arguments: Arguments) -> tuple[float, float]:
    """Seconds that the function takes, and its gradient."""
    given = copied(arguments)
    adjoints = [np.zeros(np.shape(given[a.parameter]) or 1) for a in gradient.derivative.adjoints]
    return best(lambda: gradient.primal.execute(*given)), best(lambda: gradient.execute(*given, *adjoints))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", help=f"of {', '.join(EXAMPLES)}; default: all")
    options.add_argument("--kokkos", help="where Kokkos is installed; default: Kokkos_ROOT")
    options.add_argument("--size", choices=SIZES, default="small")
    given = options.parse_args()
    right = True
    print("| program | primal, ms | gradient, ms | gradient / primal | off differences |\n|---|---|---|---|---|")
    for name in given.names or EXAMPLES:
        file, inputs = EXAMPLES[name]
        random = np.random.default_rng(0)
        gradient = cladpy.gradient(HERE / f"{file}.cpp", name, kokkos=given.kokkos)
        error = compared(gradient, inputs(SIZES["small"], random), random)
        primal, adjoint = timed(gradient, inputs(SIZES[given.size], random))
        print(
            f"| {name} | {1e3 * primal:.3f} | {1e3 * adjoint:.3f} | {adjoint / primal:.2f} | {error:.1e} |", flush=True
        )
        right = right and error < _TOLERANCE
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
