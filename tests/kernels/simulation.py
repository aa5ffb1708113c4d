"""What is differentiated in simulation.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import Make, blank, indices, members, real, ring, shaped, shaped_in, zeros

CELL = np.dtype([("center", "f8", 3), ("mass", "f8"), ("size", "f8"), ("child", "i4", 8)])


def sheet(width: int, height: int) -> Make:
    """A sheet of particles half of which is about to meet the ground."""

    def make(rng: np.random.Generator) -> Any:
        flat = [(0.3 * c, 0.4 + 0.1 * r, 0.3 * r) for r in range(height) for c in range(width)]
        return np.array(flat) + rng.uniform(-0.05, 0.05, (width * height, 3))

    return make


def octree(rng: np.random.Generator) -> Any:
    """A root, eight cells of which three have children of their own."""
    cells = np.zeros(21, CELL)
    cells["child"] = -1
    cells["child"][0] = np.arange(1, 9)
    for k, first in enumerate((9, 13, 17)):
        cells["child"][1 + 2 * k, 1:8:2] = np.arange(first, first + 4)
    cells["center"] = rng.uniform(-1.0, 1.0, (21, 3))
    cells["mass"] = rng.uniform(0.5, 1.5, 21)
    cells["size"] = np.r_[2.0, np.full(8, 1.0), np.full(12, 0.5)]
    return cells


def cells_of(points: int, cells: int) -> Make:
    """The starts of the cells in a list of sorted particles."""
    return lambda rng: np.r_[0, np.sort(rng.integers(0, points + 1, cells - 1)), points].astype(np.int32)


def distributions(points: int) -> Make:
    weights = np.array([16.0] + [4.0] * 4 + [1.0] * 4) / 36.0
    return lambda rng: (weights[:, None] * rng.uniform(0.8, 1.2, (9, points))).ravel()


CASES = (
    Case(
        "simulation",
        "cloth_step",
        "x, v, x_next, v_next, stiffness, damping, rest, dt",
        (sheet(5, 4), shaped(20, 3), blank(20, 3), blank(20, 3), real(3), 0.2, 0.3, 0.02, 5, 4),
        (2, 1),
        (4, 4),
    ),
    Case(
        "simulation",
        "lattice_boltzmann<Flow, double>",
        "f, g, tau",
        (distributions(30), zeros(270), lambda rng: (rng.random(30) < 0.2).astype(np.uint8), 0.8, 6, 5),
        (2, 2),
        (4, 4),
    ),
    Case(
        "simulation",
        "tumble",
        "bodies, torque, dt",
        (shaped(9, 10), members(x=0.3, y=-0.2, z=0.5), 0.1, 6, 9),
        1,
    ),
    Case(
        "simulation",
        "walk_tree",
        "cells, points, potential, theta, eps",
        (octree, shaped(12, 3), zeros(12), 0.9, 0.2, 12),
        1,
    ),
    Case(
        "simulation",
        "pair_forces",
        "atoms, forces, energy, types, box, cutoff",
        (
            shaped_in(12, *[(0.0, 3.0)] * 3, (-1.0, 1.0)),
            lambda rng: np.ascontiguousarray(ring(12, 7)(rng).reshape(12, 7).T).ravel(),
            indices(12, 8),
            blank(12, 3),
            zeros(12),
            shaped(4, 2),
            {"length": np.array([3.0, 3.1, 2.9])},
            1.7,
            12,
            12,
        ),
        1,
    ),
    Case(
        "simulation",
        "sph_acceleration",
        "pos, vel, rho, acc, h, mass, stiffness, viscosity",
        (
            shaped_in(24, (0.0, 1.2), (0.0, 1.2)),
            shaped(24, 2),
            real(24),
            cells_of(24, 9),
            lambda rng: rng.permutation(24).astype(np.int32),
            blank(24, 2),
            0.4,
            0.3,
            0.5,
            0.2,
            3,
            24,
        ),
        1,
        16,
    ),
)
