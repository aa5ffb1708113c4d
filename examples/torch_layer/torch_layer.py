"""A layer of a small network in CUDA, beside PyTorch's own: a group norm with a gated activation, in one kernel.

The network is trained twice from the same start, with the kernel and with PyTorch's functions, on the CPU or on the GPU
that PyTorch finds; both must arrive at the same losses. `pip install 'cladpy[torch]'` first; `--picture losses.png`
draws the losses (matplotlib).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

import torch

import cladpy

SOURCE = """
// One thread for each group: (x - mean) / deviation, times a weight, through x * sigmoid(x).
__global__ void gated_norm(const float *x, const float *weight, float *y, int groups, int width) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  const float *row = x + g * width;
  float sum = 0.0f, squares = 0.0f;
  for (int i = 0; i < width; ++i) sum += row[i];
  float mean = sum / width;
  for (int i = 0; i < width; ++i) squares += (row[i] - mean) * (row[i] - mean);
  float scale = rsqrtf(squares / width + 1e-5f);
  for (int i = 0; i < width; ++i) {
    float v = (row[i] - mean) * scale * weight[i];
    y[g * width + i] = v / (1.0f + expf(-v));
  }
}
"""
WIDTH = 16

gated_norm = cladpy.torch.op(
    SOURCE,
    "gated_norm",
    inputs=["x", "weight"],
    outputs={"y": "x"},
    args=lambda x, weight: {"groups": x.numel() // WIDTH, "width": WIDTH},
    grid=lambda x, weight: (x.numel() // WIDTH + 31) // 32,
    block=32,
)


def reference(x: Any, weight: Any) -> Any:
    groups = torch.nn.functional.layer_norm(x.reshape(-1, WIDTH), (WIDTH,), weight)
    return torch.nn.functional.silu(groups).reshape(x.shape)


class Network(torch.nn.Module):  # type: ignore[misc]
    def __init__(self, layer: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.first, self.last = torch.nn.Linear(2, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, 1)
        self.weight = torch.nn.Parameter(torch.ones(WIDTH))
        self.layer = layer

    def forward(self, x: Any) -> Any:
        return self.last(self.layer(self.first(x), self.weight))


def losses(layer: Callable[[Any, Any], Any], device: str, steps: int = 60) -> list[float]:
    """Of a network that learns a ring in the plane."""
    network = Network(layer).to(device)
    x = torch.randn(256, 2, device="cpu", generator=torch.Generator().manual_seed(2)).to(device)
    wanted = torch.exp(-4 * (x.norm(dim=1, keepdim=True) - 1) ** 2)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.02)
    found = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(network(x), wanted)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args(arguments)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    ours, theirs = losses(gated_norm, device), losses(reference, device)
    for step in range(0, len(ours), 10):
        print(f"step {step:3}: loss {ours[step]:.6f} with the kernel, {theirs[step]:.6f} with PyTorch's layers")
    if options.picture:
        from matplotlib import pyplot

        figure, axis = pyplot.subplots(figsize=(5, 2.8), layout="constrained")
        axis.semilogy(ours, lw=3, alpha=0.5, label="with the kernel")
        axis.semilogy(theirs, "k--", lw=1, label="with PyTorch's layers")
        axis.set(title="loss", xlabel="step")
        axis.legend()
        figure.savefig(options.picture, dpi=80)
    alike = all(abs(a - b) <= 1e-3 * b for a, b in zip(ours, theirs, strict=True))
    print(f"last losses: {ours[-1]:.6f} and {theirs[-1]:.6f}")
    return 0 if alike and ours[-1] < ours[0] / 5 else 1


if __name__ == "__main__":
    sys.exit(main())
