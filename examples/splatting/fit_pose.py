"""Where was the camera? Its position and direction are fitted to a photo, by the gradient of its renderer.

`python examples/splatting/fit_pose.py`; `--picture pose.png` shows what the camera saw on the way (matplotlib).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scene import Array, knot, moved, twist

import cladpy

N, SIZE = 400, 64  # Gaussians, and pixels along a side
SCENE = (N, *knot(N))
TRUTH = moved(np.eye(3, 4), [0.5, 0.3, 0.0, 0.0, 0.0, 3.5])

RENDERER = cladpy.gradient(Path(__file__).parent / "splat.cu", "misfit", "view", backend="host")


def render(view: Array, photo: Array | None = None, size: int = SIZE) -> tuple[float, Array]:
    """The misfit to a photo, and the picture, of size * size pixels."""
    image = np.zeros((size * size, 3), np.float32)
    return RENDERER.primal.execute(*SCENE, view, size, size, image if photo is None else photo, image), image


@dataclass
class Fit:
    view: Array
    views: list[Array] = field(default_factory=list)  # before each step
    misfits: list[float] = field(default_factory=list)


def fit(photo: Array, view: Array, steps: int) -> Fit:
    """Steps of a length that falls, along the gradient, which is smoothed a little."""
    found, speed = Fit(view), np.zeros(6)
    for step in range(steps):
        d_view, image = np.zeros((3, 4), np.float32), np.zeros_like(photo)
        RENDERER.execute(*SCENE, found.view, SIZE, SIZE, photo, image, d_view)
        found.views.append(found.view)
        found.misfits.append(render(found.view, photo)[0])
        downhill = twist(found.view, d_view)
        speed = 0.5 * speed + 0.5 * downhill / np.linalg.norm(downhill)
        found.view = moved(found.view, -0.1 * 0.93**step * speed)
    return found


def draw(found: Fit, file: str) -> None:
    from matplotlib import pyplot

    chosen = [*range(0, len(found.views), max(1, len(found.views) // 4))][:4]
    shown = [(f"step {step}", found.views[step]) for step in chosen]
    figure, axes = pyplot.subplots(1, 6, figsize=(12, 2.3), layout="constrained")
    for axis, (title, view) in zip(axes, [*shown, ("fitted", found.view), ("the photo", TRUTH)], strict=True):
        axis.imshow(np.clip(render(view, size=160)[1], 0, 1).reshape(160, 160, 3))
        axis.set_title(title, fontsize=10)
        axis.axis("off")
    figure.savefig(file, dpi=80)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args(arguments)
    _, photo = render(TRUTH)
    found = fit(photo, moved(TRUTH, [0.2, -0.3, 0.4, 0.25, 0.2, 0.4]), options.steps)
    last, _ = render(found.view, photo)
    for step in range(0, options.steps, 10):
        print(f"step {step:2}: misfit {found.misfits[step]:.2e}")
    print(f"misfit {last:.2e}, the camera is off by {np.abs(found.view - TRUTH).max():.1e}")
    if options.picture:
        draw(found, options.picture)
    return 0 if last < found.misfits[0] / 100 else 1


if __name__ == "__main__":
    sys.exit(main())
