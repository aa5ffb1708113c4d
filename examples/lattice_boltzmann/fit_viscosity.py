"""How viscous is it? A lattice Boltzmann flow is run through its time loop and back, by the viscosity.

`python examples/lattice_boltzmann/fit_viscosity.py`; `--picture flow.png` draws the flow and the search (matplotlib).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import cladpy

WIDTH, HEIGHT, STEPS, PUSH, TRUTH = 64, 32, 300, 2e-5, 0.07

FLOW = cladpy.gradient(Path(__file__).parent / "channel.cu", "misfit", "viscosity", backend="host")


def channel() -> np.ndarray:
    """The cells that are solid: two walls and a post."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    walls = (y == 0) | (y == HEIGHT - 1)
    return np.uint8(walls | ((x - 16) ** 2 + (y - 14.5) ** 2 < 5**2)).ravel()


def run(viscosity: float, measured: np.ndarray) -> tuple[float, float, np.ndarray]:
    """The misfit, its derivative, and the velocities."""
    u, derivative = np.zeros_like(measured), np.zeros(1)
    arguments = (WIDTH, HEIGHT, channel(), viscosity, PUSH, STEPS, measured, u)
    FLOW.execute(*arguments, derivative)
    return FLOW.primal.execute(*arguments), derivative[0], u


def fit(measured: np.ndarray, steps: int) -> list[tuple[float, float]]:
    """Viscosities and their misfits: the secant method, for the logarithm, on the derivative."""
    at, before, slope_before, found = np.log(0.12), np.log(0.14), None, []
    for _ in range(steps):
        misfit, derivative, _ = run(np.exp(at), measured)
        slope = derivative * np.exp(at)
        found.append((float(np.exp(at)), misfit))
        if misfit < 1e-24:
            break
        if slope_before is None:
            slope_before = run(np.exp(before), measured)[1] * np.exp(before)
        step = -slope * (at - before) / (slope - slope_before)
        before, slope_before, at = at, slope, at + np.clip(step, -0.5, 0.5)
    return found


def draw(measured: np.ndarray, found: list[tuple[float, float]], file: str) -> None:
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 2.8), layout="constrained", width_ratios=[1.7, 1])
    speed = np.linalg.norm(measured.reshape(HEIGHT, WIDTH, 2), axis=2)
    left.imshow(np.ma.masked_where(channel().reshape(HEIGHT, WIDTH) > 0, speed), origin="lower", cmap="viridis")
    left.set_title("speed, as measured")
    right.semilogy([max(misfit, 1e-30) for _, misfit in found], "o-")
    right.set(xlabel="gradient", title="misfit")
    figure.savefig(file, dpi=80)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args(arguments)
    measured = run(TRUTH, np.zeros(2 * WIDTH * HEIGHT))[2]
    FLOW.primal.execute(WIDTH, HEIGHT, channel(), TRUTH, PUSH, STEPS, np.zeros_like(measured), measured)
    found = fit(measured, steps=15)
    for viscosity, misfit in found:
        print(f"viscosity {viscosity:.9f}, misfit {misfit:.2e}")
    if options.picture:
        draw(measured, found, options.picture)
    return 0 if abs(found[-1][0] - TRUTH) < 1e-7 else 1


if __name__ == "__main__":
    sys.exit(main())
