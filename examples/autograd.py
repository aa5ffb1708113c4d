"""Gradients within a program that differentiates: each step runs forward now, and backward when its cotangent is known.

A chain of two kernels and a host function on NumPy arrays. `Step` is what frameworks call a function of autograd: its
forward half gives a result and keeps a tape, its reverse half turns the result's cotangent into those of the inputs.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cladpy

SOURCE = """
__global__ void layer(const double *x, const double *w, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += w[i * n + k] * x[k];
  y[i] = tanh(sum);
}
double misfit(const double *y, const double *wanted, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (y[i] - wanted[i]) * (y[i] - wanted[i]);
  return sum / n;
}
"""
N = 8
Array = NDArray[np.float64]

LAYER = cladpy.gradient(SOURCE, "layer", "x, w, y", backend="host")
MISFIT = cladpy.gradient(SOURCE, "misfit", "y", backend="host")


class Layer:
    """One step of the chain. Between its halves it holds nothing but the tape."""

    def forward(self, x: Array, w: Array) -> Array:
        y = np.zeros(N)
        _, self.tape = LAYER.forward(1, N, x, w, y, N)
        return y

    def backward(self, d_y: Array) -> tuple[Array, Array]:
        d_x, d_w = np.zeros(N), np.zeros((N, N))
        LAYER.reverse(self.tape, d_x, d_w.reshape(-1), d_y)
        return d_x, d_w


def loss(weights: list[Array], x: Array, wanted: Array) -> tuple[float, list[Array]]:
    """The misfit of a network, and its gradient by the weights of each layer."""
    steps = [Layer() for _ in weights]
    for step, w in zip(steps, weights, strict=True):
        x = step.forward(x, w.reshape(-1))
    value, tape = MISFIT.forward(x, wanted, N)
    d_x = np.zeros(N)
    MISFIT.reverse(tape, d_x)
    gradients: list[Any] = []
    for step in reversed(steps):
        d_x, d_w = step.backward(d_x)
        gradients.insert(0, d_w)
    return float(value), gradients  # type: ignore[arg-type]


def main() -> int:
    rng = np.random.default_rng(seed=1)
    weights = [rng.normal(size=(N, N)) / N**0.5 for _ in range(3)]
    x, wanted = rng.normal(size=N), rng.uniform(-0.5, 0.5, N)
    first, _ = loss(weights, x, wanted)
    last = first
    for _ in range(200):
        last, gradients = loss(weights, x, wanted)
        for w, d_w in zip(weights, gradients, strict=True):
            w -= 0.2 * d_w
    print(f"misfit before: {first:.6f}, after 200 steps: {last:.3g}")
    return 0 if last < first / 1000 else 1


if __name__ == "__main__":
    sys.exit(main())
