"""What is in the cloud? Its densities, from pictures of it from eight sides, by a renderer that marches along rays.

`python examples/volume/reconstruct.py`; `--picture cloud.png` draws the pictures and the cloud (matplotlib).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import cladpy

GRID, SIZE, VIEWS, STEPS = 20, 32, 8, 48  # points of the grid, pixels, pictures, steps of a ray
LENGTH = np.float32(1.5 / STEPS)

MARCH = cladpy.gradient(Path(__file__).parent / "march.cu", "march", "grid, image", backend="host")


def rays() -> np.ndarray:
    """Of all pictures: parallel ones, from cameras around the cube."""
    found = []
    v, u = np.meshgrid(np.linspace(-0.6, 0.6, SIZE), np.linspace(-0.6, 0.6, SIZE), indexing="ij")
    for angle in np.pi * np.arange(VIEWS) / VIEWS:
        across = np.array([np.cos(angle), 0.3 * np.sin(2 * angle), np.sin(angle)])
        ahead = np.cross(across, [0.0, 1.0, 0.0])
        ahead /= np.linalg.norm(ahead)
        up = np.cross(ahead, across)
        start = 0.5 + u[..., None] * across + v[..., None] * up - 0.75 * ahead
        found.append(np.concatenate([start, np.broadcast_to(ahead * LENGTH, start.shape)], axis=-1))
    return np.float32(np.reshape(found, (-1, 6)))


RAYS = rays()


def render(grid: np.ndarray) -> np.ndarray:
    image = np.zeros(len(RAYS), np.float32)
    MARCH.primal.execute_kernel(len(RAYS) // 128, 128, len(RAYS), RAYS, STEPS, LENGTH, grid, GRID, image)
    return image


def truth() -> np.ndarray:
    """A ring around a ball."""
    z, y, x = np.meshgrid(*[np.linspace(-1, 1, GRID)] * 3, indexing="ij")
    ring = np.exp(-((np.hypot(x, z) - 0.6) ** 2 + y**2) / 0.02)
    return np.float32(6 * ring + 9 * np.exp(-(x**2 + y**2 + z**2) / 0.06)).ravel()


def reconstruct(pictures: np.ndarray, steps: int) -> tuple[np.ndarray, list[float]]:
    """Adam, with densities that are never negative."""
    grid = np.full(GRID**3, 0.5, np.float32)
    mean, square, misfits = np.zeros_like(grid), np.zeros_like(grid), []
    for step in range(1, steps + 1):
        image = render(grid)
        misfits.append(float(np.mean((image - pictures) ** 2)))
        d_grid, d_image = np.zeros_like(grid), image - pictures
        values = (len(RAYS), RAYS, STEPS, LENGTH, grid, GRID, image)
        MARCH.execute_kernel(len(RAYS) // 128, 128, *values, d_grid, d_image)
        mean, square = 0.9 * mean + 0.1 * d_grid, 0.99 * square + 0.01 * d_grid**2
        grid -= 0.2 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        np.maximum(grid, 0, out=grid)
    return grid, misfits


def draw(grid: np.ndarray, file: str) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 4, figsize=(7, 3.7), layout="constrained")
    for row, (name, cloud) in zip(axes, (("seen", truth()), ("found", grid)), strict=True):
        pictures = render(cloud).reshape(VIEWS, SIZE, SIZE)
        volume = cloud.reshape(GRID, GRID, GRID)
        shown = [pictures[0], pictures[3], volume[GRID // 2], volume[:, GRID // 2]]
        for axis, image, title in zip(row, shown, ("a picture", "another", "a cut", "across"), strict=True):
            axis.imshow(image, cmap="inferno", origin="lower")
            axis.set_title(f"{name}: {title}", fontsize=9)
            axis.axis("off")
    figure.savefig(file, dpi=80)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args(arguments)
    grid, misfits = reconstruct(render(truth()), steps=150)
    error = float(np.linalg.norm(grid - truth()) / np.linalg.norm(truth()))
    print(f"misfit of the pictures: {misfits[0]:.2e} at first, {misfits[-1]:.2e} in the end")
    print(f"relative error of the densities: {error:.2f}")
    if options.picture:
        draw(grid, options.picture)
    return 0 if misfits[-1] < misfits[0] / 1000 and error < 0.35 else 1


if __name__ == "__main__":
    sys.exit(main())
