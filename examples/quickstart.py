"""Differentiates the kernel of black_scholes.cu, runs the gradient on the CPU and checks it against the oracle."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import cladpy
from cladpy.check.gradient_check import check

SOURCE = Path(__file__).parent / "black_scholes.cu"
OPTIONS = 6
GRID, BLOCK = 2, 4  # eight threads for six options


def main() -> int:
    gradient = cladpy.gradient(SOURCE, "black_scholes", "spot, volatility, rate, price", backend="host")
    print(gradient.code)

    rng = np.random.default_rng(seed=1)
    spot = rng.uniform(80.0, 120.0, OPTIONS)
    strike = np.full(OPTIONS, 100.0)
    years = rng.uniform(0.25, 2.0, OPTIONS)
    volatility = rng.uniform(0.1, 0.4, OPTIONS)
    rate = 0.03
    price = np.zeros(OPTIONS)
    arguments = (OPTIONS, spot, strike, years, volatility, rate, price)

    gradient.primal.execute_kernel(GRID, BLOCK, *arguments)

    d_spot, d_volatility, d_rate = np.zeros(OPTIONS), np.zeros(OPTIONS), np.zeros(1)
    d_price = np.ones(OPTIONS)  # the cotangent: the gradient of the sum of all prices
    gradient.execute_kernel(GRID, BLOCK, *arguments, d_spot, d_volatility, d_rate, d_price)

    print(f"{'spot':>9} {'price':>9} {'delta':>9} {'vega':>9}")
    for row in zip(spot, price, d_spot, d_volatility, strict=True):
        print("".join(f"{value:10.4f}" for value in row))
    print(f"rho of the whole book: {d_rate[0]:.4f}")

    report = check(gradient, GRID, BLOCK, arguments)
    print(report.text())
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
