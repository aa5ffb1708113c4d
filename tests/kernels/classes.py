"""What is differentiated in classes.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import Make, members, real, rows, shaped, single, zeros


def particles(n: int) -> Make:
    """An array of `Particle`s of classes.cu."""
    vector = [("x", "f8"), ("y", "f8"), ("z", "f8")]
    particle = np.dtype(
        [("position", vector), ("velocity", vector), ("mass", "f8"), ("kind", "i4"), ("history", "f8", 3)], align=True
    )

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, particle)
        for part in ("position", "velocity"):
            for axis in "xyz":
                made[part][axis] = rng.uniform(0.2, 1.2, n)
        made["mass"] = rng.uniform(0.5, 1.5, n)
        made["kind"] = rng.integers(0, 3, n)
        made["history"] = rng.uniform(0.2, 1.2, (n, 3))
        return made

    return make


def bodies(n: int) -> Make:
    """An array of `Body`s of classes.cu."""
    point = [("x_", "f8"), ("y_", "f8")]
    body = np.dtype([("Point", point), ("mass", "f8"), ("weights_", "f4", 2)], align=True)

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, body)
        for axis in ("x_", "y_"):
            made["Point"][axis] = rng.uniform(0.2, 1.2, n)
        made["mass"] = rng.uniform(0.5, 1.5, n)
        made["weights_"] = rng.uniform(0.2, 1.2, (n, 2))
        return made

    return make


PARAMS = members(stiffness=0.8, damping=0.3, steps=5, weights=real(4))
VEC = shaped(N, 3)

CASES = (
    Case("classes", "fields", "v, y", (VEC, Y, N)),
    Case("classes", "store_fields", "x, v", (X, VEC, N)),
    Case("classes", "passed_around", "a, b, y", (VEC, VEC, Y, N)),
    Case("classes", "nested", "p, force, dt", (particles(N), X, 0.1, N)),
    Case("classes", "by_value", "params, x, y", (PARAMS, X, Y, N)),
    Case("classes", "view_of_arrays", "view", (members(**{"in": X, "out": Y, "n": N}),)),
    Case("classes", "chosen_object", "grid, y", (VEC, Y, N)),
    Case("classes", "julia", "z0, c, y", (shaped(N, 2), members(re=-0.3, im=0.4), Y, N)),
    Case("classes", "class_templates", "x, y", (X, Y, N)),
    Case("classes", "local_objects", "v, y", (VEC, Y, N)),
    Case("classes", "rows_of_pointers", "rows, y", (rows(3, N), Y, N)),
    Case(
        "classes",
        "vectors",
        "a, b, c, y",
        (single(4 * N), shaped(N, 2), zeros(4 * N, "f4"), Y, N),
    ),
    Case("classes", "private_members", "bodies, y, where", (bodies(N), Y, members(x_=0.4, y_=0.3), N)),
    Case("classes", "private_stores", "bodies, x", (bodies(N), X, N)),
    Case("classes", "downcasts", "s, y", (shaped(N, 2), Y, N)),
    Case("classes", "bits_of_inactive", "x, y", (X, single(N), Y, N)),
)
