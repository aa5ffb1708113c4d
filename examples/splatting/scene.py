"""A scene of Gaussians, and cameras: a knot of coloured beads, and what moves a view."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def knot(n: int) -> tuple[Array, ...]:
    """Centres, scales, quaternions, opacities and colours of `n` Gaussians on a tube around a trefoil knot."""
    rng = np.random.default_rng(seed=3)
    t = np.linspace(0, 2 * np.pi, n, endpoint=False)
    line = np.stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -1.2 * np.sin(3 * t)], axis=1) / 3
    along = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    around = rng.normal(size=(n, 3))
    around -= (around * along).sum(axis=1, keepdims=True) * along
    centre = line + 0.1 * around / np.linalg.norm(around, axis=1, keepdims=True)
    turn = np.concatenate([1 + along[:, :1], np.cross([1.0, 0.0, 0.0], along)], axis=1)  # the first axis goes along
    hues = t[:, None] + 2 * np.pi * np.array([0, 1, 2]) / 3
    colour = np.clip(0.55 + 0.45 * np.cos(hues), 0, 1) * rng.uniform(0.7, 1.0, (n, 1))
    scale = np.full((n, 3), [0.07, 0.03, 0.03])
    return tuple(np.float32(array) for array in (centre, scale, turn, np.full(n, 0.85), colour))


def moved(view: Array, twist: Any) -> Array:
    """The view (3 x 4: a rotation and a translation) of a camera that goes around the scene by `twist[:3]`, a rotation,
    and is shifted by `twist[3:]` in its own axes."""
    angles, shift = np.split(np.asarray(twist, dtype=float), 2)
    angle = np.linalg.norm(angles) + 1e-30
    x, y, z = angles / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    rotation = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return np.concatenate([view[:, :3] @ rotation, view[:, 3:] + shift[:, None]], axis=1, dtype=np.float32)


def twist(view: Array, d_view: Array) -> Array:
    """The derivative by the twist of `moved`, where it is zero, of what has the derivative `d_view` by the view."""
    m = view[:, :3].T @ d_view[:, :3]
    return np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], *d_view[:, 3]])
