"""How was the rod heated? The flux through its end, at every time, from what a thermometer inside has shown.

`python examples/inverse_heat/find_flux.py`; `--picture flux.png` draws what was found (matplotlib).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import cladpy

N, STEPS, RATE, PLACE = 48, 400, 0.2, 5
SOURCE = Path(__file__).parent / "rod.cu"

ROD = cladpy.gradient(SOURCE, "misfit", "flux", backend="host")
# The same gradient, with no more than 20 kB for what time steps overwrite: steps are made again where they are needed.
FRUGAL = cladpy.gradient(SOURCE, "misfit", "flux", backend="host", checkpoint="binomial:20K")


def truth() -> np.ndarray:
    time = np.linspace(0, 1, STEPS)
    return 0.02 * (np.exp(-((time - 0.3) ** 2) / 0.006) + 0.6 * ((time > 0.55) & (time < 0.75)))


def gradient(rod: cladpy.Gradient, flux: np.ndarray, measured: np.ndarray) -> np.ndarray:
    d_flux = np.zeros(STEPS)
    rod.execute(N, STEPS, RATE, PLACE, flux, measured, np.zeros(STEPS), d_flux)
    return d_flux


def find(measured: np.ndarray, steps: int) -> np.ndarray:
    """Descent with steps of Barzilai and Borwein's length. It ends early: what comes later fits the noise."""
    flux, length = np.zeros(STEPS), 1e-3
    slope = gradient(ROD, flux, measured)
    for _ in range(steps):
        step = -length * slope
        flux, before = flux + step, slope
        slope = gradient(ROD, flux, measured)
        length = abs(step @ step / (step @ (slope - before)))
    return flux


def draw(found: np.ndarray, measured: np.ndarray, file: str) -> None:
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 2.8), layout="constrained")
    left.plot(measured, lw=1)
    left.set(title="the thermometer", xlabel="time")
    right.plot(truth(), "k--", lw=1, label="flux")
    right.plot(found, lw=1.5, label="found")
    right.set(title="heat through the end", xlabel="time")
    right.legend()
    figure.savefig(file, dpi=80)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args(arguments)
    measured = np.zeros(STEPS)
    ROD.primal.execute(N, STEPS, RATE, PLACE, truth(), np.zeros(STEPS), measured)
    measured += np.random.default_rng(1).normal(scale=5e-4, size=STEPS)
    found = find(measured, steps=60)
    error = np.linalg.norm(found - truth()) / np.linalg.norm(truth())
    print(f"relative error of the flux: {error:.3f}")

    whole, frugal = gradient(ROD, found, measured), gradient(FRUGAL, found, measured)
    for name, rod in (("all", ROD), ("binomial:20K", FRUGAL)):
        print(f"checkpoint={name!r}: {rod.report}")
    if options.picture:
        draw(found, measured, options.picture)
    return 0 if error < 0.25 and np.array_equal(whole, frugal) else 1


if __name__ == "__main__":
    sys.exit(main())
