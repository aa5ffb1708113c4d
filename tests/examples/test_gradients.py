"""The examples' gradients against forward mode and differences, at small points of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.check.gradient_check import check
from tests.packaging.snippets import ROOT

RNG = np.random.default_rng(7)


def _greeks() -> tuple[Any, ...]:
    paths, days, options = 24, 5, 3
    normal, spot = RNG.normal(size=days * paths), np.array([90.0, 100.0, 115.0])
    one = np.ones(options)
    return ((1, options), 32, (paths, days, normal, spot, 97.0, 0.3 * one, 0.05 * one, np.zeros(options)))


def _heat() -> tuple[Any, ...]:
    n, steps = 8, 12
    flux, measured = RNG.uniform(0, 0.1, (2, steps))
    return None, None, (n, steps, 0.2, 2, flux, measured, np.zeros(steps))


def _flow() -> tuple[Any, ...]:
    width, height, steps = 8, 7, 9
    y, x = np.mgrid[:height, :width]
    solid = np.uint8((y == 0) | (y == height - 1) | ((x == 3) & (y == 3)))
    measured = 1e-3 * RNG.normal(size=2 * width * height)
    return None, None, (width, height, solid.ravel(), 0.05, 1e-3, steps, measured, np.zeros(2 * width * height))


def _atoms() -> tuple[Any, ...]:
    atoms = np.mgrid[:2, :2, :2].reshape(3, 8).T * 1.1 + RNG.uniform(-0.1, 0.1, (8, 3))
    return 1, 32, (8, atoms, {"depth": 1.2, "radius": 0.9}, np.zeros(1))


def _cloud() -> tuple[Any, ...]:
    n, rays, steps = 4, 12, 10
    start = RNG.uniform(0.1, 0.3, (rays, 3))
    ray = np.float32(np.concatenate([start, RNG.uniform(0.03, 0.06, (rays, 3))], axis=1))
    grid = np.float32(RNG.uniform(0.5, 9.0, n**3))
    return 1, 32, (rays, ray, steps, np.float32(0.15), grid, n, np.zeros(rays, np.float32))


def _ellipses() -> tuple[Any, ...]:
    n, size = 3, 6
    low, high = [0, 0, 0.5, 0.5, 0, 0, 0, 0], [6, 6, 1.5, 1.5, 3, 1, 1, 1]
    ellipses = np.float32(RNG.uniform(low, high, (n, 8)))
    return (1, 1), (8, 8), (n, ellipses, size, np.zeros(3 * size * size, np.float32))


@pytest.mark.parametrize(
    ("file", "function", "args", "point"),
    [
        ("greeks/asian.cu", "asian", "spot, volatility, rate, price", _greeks),
        ("inverse_heat/rod.cu", "misfit", "flux", _heat),
        ("lattice_boltzmann/channel.cu", "misfit", "viscosity", _flow),
        ("molecules/cluster.cu", "energy", "atoms, gas, total", _atoms),
        ("volume/march.cu", "march", "grid, image", _cloud),
        ("splatting/flat.cu", "paint", "ellipses, image", _ellipses),
    ],
    ids=lambda value: value if isinstance(value, str) and value.endswith(".cu") else "",
)
def test_gradient(file: str, function: str, args: str, point: Any) -> None:
    gradient = cladpy.gradient(ROOT / "examples" / file, function, args, backend="host")
    report = check(gradient, *point())
    assert report.ok, report.text()
