"""How do thirteen atoms lie? Clusters relax along the forces, which are the gradient of an energy written with classes.

`python examples/molecules/relax.py`; `--picture cluster.png` draws them (matplotlib).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import cladpy

N, GAS = 13, {"depth": 1.0, "radius": 1.0}
BEST = -44.326801  # of thirteen such atoms: an icosahedron around one

ENERGY = cladpy.gradient(Path(__file__).parent / "cluster.cu", "energy", "atoms, total", backend="host")


def energy(atoms: np.ndarray) -> tuple[float, np.ndarray]:
    """The energy, and the forces."""
    total, d_atoms = np.zeros(1), np.zeros_like(atoms)
    ENERGY.primal.execute_kernel(1, 32, N, atoms, GAS, total)
    ENERGY.execute_kernel(1, 32, N, atoms, GAS, np.zeros(1), d_atoms, np.ones(1))
    return total[0], -d_atoms


def relax(atoms: np.ndarray, steps: int) -> tuple[np.ndarray, list[float]]:
    """Atoms that move along the forces and are stopped where they go uphill: the method called FIRE."""
    speed, dt, mix, energies = np.zeros_like(atoms), 0.005, 0.1, []
    for _ in range(steps):
        found, force = energy(atoms)
        energies.append(found)
        if (force * speed).sum() > 0:
            along = force * np.linalg.norm(speed) / np.linalg.norm(force)
            speed, dt, mix = (1 - mix) * speed + mix * along, min(1.05 * dt, 0.03), 0.99 * mix
        else:
            speed, dt, mix = np.zeros_like(atoms), 0.5 * dt, 0.1
        speed = speed + dt * force
        step = dt * speed
        atoms = atoms + step * min(1.0, 0.1 / np.abs(step).max())
    return atoms, energies


def draw(atoms: np.ndarray, runs: list[list[float]], file: str) -> None:
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(8, 3.2), layout="constrained")
    left = figure.add_subplot(1, 2, 1)
    for energies in runs:
        left.plot(energies, lw=0.8)
    left.axhline(BEST, color="k", ls="--", lw=0.8)
    left.set(ylim=(-46, 0), xlabel="step", title="energy")
    right = figure.add_subplot(1, 2, 2, projection="3d")
    for i in range(N):
        for k in range(i):
            if np.linalg.norm(atoms[i] - atoms[k]) < 1.3:
                right.plot(*atoms[[i, k]].T, color="gray", lw=1)
    right.scatter(*atoms.T, s=120, depthshade=True)
    right.set_axis_off()
    right.set_title("the best")
    figure.savefig(file, dpi=80)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args(arguments)
    rng, runs, best, lowest = np.random.default_rng(7), [], np.zeros((N, 3)), 0.0
    while lowest > BEST + 1e-5 and len(runs) < 60:
        atoms, energies = relax(rng.uniform(-1.2, 1.2, (N, 3)), steps=400)
        runs.append(energies)
        if energies[-1] < lowest:
            best, lowest = atoms, energies[-1]
    print("energies:", " ".join(f"{run[-1]:.3f}" for run in sorted(runs, key=lambda run: run[-1])))
    print(f"lowest: {lowest:.6f}, known to be {BEST}")
    if options.picture:
        draw(best, runs, options.picture)
    return 0 if abs(lowest - BEST) < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main())
