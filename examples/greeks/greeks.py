"""What does the price of an option depend on? Delta, vega and rho of a simulation with atomic sums, in one pass.

`python examples/greeks/greeks.py`; `--picture greeks.png` draws them (matplotlib).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import cladpy

PATHS, DAYS, STRIKE = 4096, 50, 100.0
SPOTS = np.linspace(70.0, 130.0, 13)
VOLATILITY, RATE = np.full(len(SPOTS), 0.25), np.full(len(SPOTS), 0.03)
NORMAL = np.random.default_rng(1).normal(size=DAYS * PATHS)
GRID, BLOCK = (PATHS // 128, len(SPOTS)), 128

ASIAN = cladpy.gradient(Path(__file__).parent / "asian.cu", "asian", "spot, volatility, rate, price", backend="host")


def prices(spot: np.ndarray, volatility: np.ndarray, rate: np.ndarray) -> np.ndarray:
    price = np.zeros(len(spot))
    ASIAN.primal.execute_kernel(GRID, BLOCK, PATHS, DAYS, NORMAL, spot, STRIKE, volatility, rate, price)
    return price


def greeks() -> dict[str, np.ndarray]:
    """Of all options, in one call: the derivatives of the sum of the prices."""
    price, d_price = np.zeros(len(SPOTS)), np.ones(len(SPOTS))
    delta, vega, rho = np.zeros((3, len(SPOTS)))
    values = (PATHS, DAYS, NORMAL, SPOTS, STRIKE, VOLATILITY, RATE, price)
    ASIAN.execute_kernel(GRID, BLOCK, *values, delta, vega, rho, d_price)
    return {"delta": delta, "vega": vega, "rho": rho}


def draw(found: dict[str, np.ndarray], file: str) -> None:
    from matplotlib import pyplot

    shown = {"price": prices(SPOTS, VOLATILITY, RATE), **found}
    figure, axes = pyplot.subplots(1, 4, figsize=(11, 2.5), layout="constrained")
    for axis, (name, values) in zip(axes, shown.items(), strict=True):
        axis.plot(SPOTS, values, ".-")
        axis.axvline(STRIKE, color="gray", lw=0.7)
        axis.set(title=name, xlabel="spot")
    figure.savefig(file, dpi=80)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args(arguments)
    found, h = greeks(), 1e-5
    differences = {
        "delta": (prices(SPOTS + h, VOLATILITY, RATE) - prices(SPOTS - h, VOLATILITY, RATE)) / (2 * h),
        "vega": (prices(SPOTS, VOLATILITY + h, RATE) - prices(SPOTS, VOLATILITY - h, RATE)) / (2 * h),
        "rho": (prices(SPOTS, VOLATILITY, RATE + h) - prices(SPOTS, VOLATILITY, RATE - h)) / (2 * h),
    }
    print(f"{'spot':>6}{'price':>10}" + "".join(f"{name:>10}" for name in found))
    for row in zip(SPOTS, prices(SPOTS, VOLATILITY, RATE), *found.values(), strict=True):
        print(f"{row[0]:6.1f}" + "".join(f"{value:10.4f}" for value in row[1:]))
    off = max(float(np.abs(found[name] - differences[name]).max()) for name in found)
    print(f"furthest from differences of the same paths: {off:.1e}")
    if options.picture:
        draw(found, options.picture)
    return 0 if off < 0.02 else 1


if __name__ == "__main__":
    sys.exit(main())
