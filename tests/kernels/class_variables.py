"""What is differentiated in class_variables.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import members, real

LAW = np.dtype({"names": ["a", "b", "order", "w"], "formats": ["f8", "f4", "i4", ("f8", 3)]}, align=True)
PARTICLE = np.dtype([("position", "f8"), ("velocity", "f8"), ("kind", "i4")], align=True)


def laws(rng: np.random.Generator) -> Any:
    made = np.zeros((2, 3), LAW)
    for name in ("a", "b", "w"):
        made[name] = rng.uniform(0.2, 1.2, made[name].shape)
    made["order"] = rng.integers(0, 4, (2, 3))
    return made


def particles(rng: np.random.Generator) -> Any:
    made = np.zeros(64, PARTICLE)
    made["position"], made["velocity"] = rng.uniform(0.2, 1.2, (2, 64))
    return made


GRID = members(values=real(N), weights=real(N), n=N, step=0.7)
POINTERS = {
    "grid": GRID,
    "levels": lambda rng: [GRID(rng), GRID(rng)],
    "buffer": real(N),
    "rows": lambda rng: [rng.uniform(0.2, 1.2, N), rng.uniform(0.2, 1.2, N)],
}

CASES = (
    Case("class_variables", "read_objects", "x, y, params, laws, fixed", (X, Y, N), variables={"laws": laws}),
    Case("class_variables", "read_objects", "y, laws", (X, Y, N), label="subset", variables={"laws": laws}),
    Case("class_variables", "chosen_object", "x, y, model::params, laws", (X, Y, N), variables={"laws": laws}),
    Case(
        "class_variables",
        "write_objects",
        "x, y, counter, particles",
        (X, Y, N),
        variables={"particles": particles, "counter": members(sum=0.5, weight=0.75)},
    ),
    Case("class_variables", "through_pointers", "x, y, grid, levels, buffer, rows", (X, Y), variables=POINTERS),
    Case("class_variables", "recursive_reads", "x, y", (X, Y, N), variables={"laws": laws}),
    Case(
        "class_variables",
        "instances_of_variables<double>",
        "x, y, model::taps<double, 3>, model::offset<double>",
        (X, Y, N),
        variables={"model::taps<double, 3>": real(3)},
    ),
    Case("class_variables", "host_object", "x, on_host", (0.8,), None, None),
)
