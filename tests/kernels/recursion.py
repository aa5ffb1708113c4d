"""What is differentiated in recursion.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import Make, members, real, vectors


def spheres(n: int) -> Make:
    """An array of `Sphere`s of recursion.cu."""
    sphere = np.dtype([("center", [("x", "f8"), ("y", "f8"), ("z", "f8")]), ("radius", "f8"), ("shine", "f8")])

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, sphere)
        made.view("f8")[:] = rng.uniform(0.3, 1.2, 5 * n)
        return made

    return make


CASES = (
    Case("recursion", "render", "spheres, aim, image", (spheres(3), X, Y, N)),
    Case("recursion", "render", "aim, image", (spheres(3), X, Y, N), label="subset"),
    Case("recursion", "horner", "x, y, given", (X, Y, members(terms=real(4), scale=0.7, last=3), N), 1, 64),
    Case("recursion", "spirals", "v, out", (vectors(N), vectors(N, 0, 0), N)),
    Case("recursion", "local_memory", "x, y", (X, Y, N), 1, 64),
)
