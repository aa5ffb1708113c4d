"""A picture from eighty soft ellipses: the kernel paints, the caller compares, the kernel's gradient runs afterwards.

`python examples/splatting/fit_picture.py`; `--picture picture.png` draws what came out (matplotlib).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import cladpy

N, SIZE = 80, 48
LAUNCH = ((SIZE // 16, SIZE // 16), (16, 16))
RATES = np.float32([0.4, 0.4, 0.04, 0.04, 0.04, 0.02, 0.02, 0.02])  # one for each of an ellipse's numbers

PAINT = cladpy.gradient(Path(__file__).parent / "flat.cu", "paint", "ellipses, image", backend="host")


def wanted() -> np.ndarray:
    """An evening at the sea."""
    y, x = np.mgrid[:SIZE, :SIZE] / SIZE
    sky = np.stack([0.9 - 0.3 * y, 0.35 + 0.5 * y, 0.3 + 0.1 * y], axis=-1)
    sun = np.hypot(x - 0.6, y - 0.42) < 0.17
    sky[sun] = [1.0, 0.9, 0.4]
    waves = 0.12 * np.sin(30 * y + 4 * np.sin(9 * x)) * (np.abs(x - 0.6) < 0.2)
    sea = np.stack([0.1 + 2 * waves, 0.25 + 1.5 * waves, 0.5 + waves], axis=-1)
    picture = np.where((y > 0.6)[..., None], sea, sky)
    picture[y > 0.88 - 0.5 * np.abs(x - 0.1)] *= 0.35
    return np.float32(np.clip(picture, 0, 1)).reshape(-1)


def fit(picture: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """The ellipses, what they look like, and the mean squared differences on the way."""
    rng = np.random.default_rng(1)
    ellipses = np.concatenate(
        [rng.uniform(0, SIZE, (N, 2)), rng.uniform(1, 1.8, (N, 2)), rng.uniform(0, 3, (N, 1)), np.full((N, 3), 0.1)],
        axis=1,
        dtype=np.float32,
    )
    mean, square, misfits = np.zeros_like(ellipses), np.zeros_like(ellipses), []
    image = np.zeros_like(picture)
    for step in range(1, steps + 1):
        _, tape = PAINT.forward(*LAUNCH, N, ellipses, SIZE, image)
        d_image = image - picture  # only now is it known what is wrong
        misfits.append(float(np.mean(d_image**2)))
        slope = np.zeros_like(ellipses)
        PAINT.reverse(tape, slope, d_image)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        ellipses -= RATES * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return ellipses, image, misfits


def draw(picture: np.ndarray, image: np.ndarray, misfits: list[float], file: str) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(8, 2.6), layout="constrained")
    for axis, pixels, title in zip(axes, (picture, image), ("wanted", f"{N} ellipses"), strict=False):
        axis.imshow(np.clip(pixels, 0, 1).reshape(SIZE, SIZE, 3))
        axis.set_title(title)
        axis.axis("off")
    axes[2].semilogy(misfits)
    axes[2].set(title="misfit", xlabel="step")
    figure.savefig(file, dpi=80)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args(arguments)
    picture = wanted()
    _, image, misfits = fit(picture, steps=250)
    print(f"mean squared difference: {misfits[0]:.4f} at first, {misfits[-1]:.5f} in the end")
    if options.picture:
        draw(picture, image, misfits, options.picture)
    return 0 if misfits[-1] < 0.004 else 1


if __name__ == "__main__":
    sys.exit(main())
