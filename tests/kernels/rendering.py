"""What is differentiated in rendering.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import Make, blank, indices, shaped_in, zeros

FLOATS = {"dtype": "f4"}
MATERIAL = np.dtype([("base", "f8", 3), ("roughness", "f8"), ("metallic", "f8"), ("model", "i4")], align=True)


def rays(n: int) -> Make:
    return shaped_in(n, (0, 3), (0, 3), (-0.5, 0), (-0.5, 0.5), (-0.5, 0.5), (0.6, 1.1), dtype="f4")


def field(n: int) -> Make:
    """Colours and densities, some of which are negative."""
    return shaped_in(n, (0, 1), (0, 1), (0, 1), (-0.5, 2.5), dtype="f4")


def camera(rng: np.random.Generator) -> dict[str, Any]:
    view = np.eye(3, 4) + rng.uniform(-0.1, 0.1, (3, 4))
    return {
        "view": view.astype("f4").ravel(),
        "fx": 1.1,
        "fy": 1.2,
        "tan_x": 0.4,
        "tan_y": 0.5,
        "position": np.array([0.1, -0.2, -0.3], "f4"),
    }


def units(n: int) -> Make:
    """Directions in the upper half."""

    def make(rng: np.random.Generator) -> Any:
        v = rng.uniform([-0.6, -0.6, 0.5], [0.6, 0.6, 1.0], (n, 3))
        return v / np.linalg.norm(v, axis=1, keepdims=True)

    return make


def materials(n: int) -> Make:
    def make(rng: np.random.Generator) -> Any:
        rows = np.zeros(n, MATERIAL)
        rows["base"], rows["roughness"] = rng.uniform(0.1, 0.9, (n, 3)), rng.uniform(0.4, 0.9, n)
        rows["metallic"], rows["model"] = rng.uniform(0.1, 0.9, n), np.arange(n) % 3
        return rows

    return make


def spheres(n: int) -> Make:
    place, color = (-0.8, 0.8), (0.3, 0.9)
    return shaped_in(n, place, place, (-0.5, 1.0), (0.3, 0.6), *[color] * 6, dtype="f4")


CASES = (
    Case(
        "rendering",
        "nerf::march",
        "rays, field, pixels, depth, step",
        (rays(30), field(64), blank(30, 3, **FLOATS), zeros(30, "f4"), np.array([4, 4, 4], "i4"), 0.21, 30),
        1,
    ),
    *(
        Case(
            "rendering",
            f"splat::preprocess<{degree}>",
            "means, scales, rotations, harmonics, camera, centers, conics, colors",
            (
                20,
                shaped_in(20, (-0.5, 0.5), (-0.5, 0.5), (-0.1, 1.5), dtype="f4"),
                shaped_in(20, *[(-1.5, -0.5)] * 3, dtype="f4"),
                shaped_in(20, *[(-1.0, 1.0)] * 4, dtype="f4"),
                shaped_in(20 * (degree + 1) ** 2, *[(-0.5, 0.6)] * 3, dtype="f4"),
                camera,
                blank(20, 2, **FLOATS),
                blank(20, 4, **FLOATS),
                blank(20, 3, **FLOATS),
                zeros(20, "i4"),
            ),
            1,
        )
        for degree in (0, 2)
    ),
    Case(
        "rendering",
        "shade",
        "normals, views, materials, radiance, light, exposure",
        (units(24), units(24), materials(5), indices(24, 5), blank(24, 3), units(1), 0.8, 24),
        1,
    ),
    Case("rendering", "trace", "spheres, image", (spheres(5), 5, blank(30, 3, **FLOATS), 6, 5, 3), (2, 2), (4, 4)),
)
