"""How was the picture moved? An extension that has no backward pass is adopted as it is, and trained through.

`python examples/adopted/register.py`; `--picture pictures.png` draws what came out (matplotlib).
`pip install 'cladpy[torch]'` first; the extension itself is never built.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import torch

import cladpy

SIZE = 64

warp = cladpy.torch.adopt(str(Path(__file__).parent / "warp.cu"), "warp")


def picture() -> Any:
    """Soft blobs and a ring."""
    y, x = torch.meshgrid(torch.linspace(-1, 1, SIZE), torch.linspace(-1, 1, SIZE), indexing="ij")
    ring = torch.exp(-((torch.hypot(x, y) - 0.45) ** 2) / 0.01)
    return (
        ring + torch.exp(-((x - 0.4) ** 2 + (y + 0.3) ** 2) / 0.03) + 0.7 * torch.exp(-((x + 0.2) ** 2 + y**2) / 0.01)
    )


def flow(motion: Any) -> Any:
    """Two numbers for each pixel, of a matrix and a shift: 2 x 3 numbers."""
    y, x = torch.meshgrid(torch.arange(SIZE) - SIZE / 2, torch.arange(SIZE) - SIZE / 2, indexing="ij")
    place = torch.stack([x, y, torch.full_like(x, 10.0)], dim=-1)
    return (place @ motion.T).contiguous()


def fit(image: Any, moved: Any, steps: int) -> tuple[Any, list[float]]:
    motion = torch.zeros(2, 3, requires_grad=True)
    optimizer = torch.optim.Adam([motion], lr=0.03)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.985)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(warp(image, flow(motion)), moved)
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return motion.detach(), losses


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args(arguments)
    image, truth = picture(), torch.tensor([[0.1, -0.25, 0.6], [0.2, 0.05, -0.4]])
    moved = warp(image, flow(truth))
    found, losses = fit(image, moved, steps=250)
    print(f"loss: {losses[0]:.2e} at first, {losses[-1]:.2e} in the end")
    print(f"the motion is off by {(found - truth).abs().max():.1e}")
    if options.picture:
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(1, 4, figsize=(10, 2.6), layout="constrained")
        shown = {"the picture": image, "moved": moved, "fitted": warp(image, flow(found))}
        for axis, (title, pixels) in zip(axes, shown.items(), strict=False):
            axis.imshow(pixels, cmap="magma")
            axis.set_title(title)
            axis.axis("off")
        axes[3].semilogy(losses)
        axes[3].set(title="loss", xlabel="step")
        figure.savefig(options.picture, dpi=80)
    return 0 if losses[-1] < losses[0] / 100 else 1


if __name__ == "__main__":
    sys.exit(main())
