"""What is differentiated in neighbours.cu; what is added together in each is in `TOGETHER`."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import indices, real, single, single_rows, zeros

BLOB = np.dtype([("mean", "f4", (2,)), ("shape", "f4", (3,)), ("strength", "f4")])


def _blobs(rng: np.random.Generator) -> np.ndarray:
    found = np.zeros(4, BLOB)
    found["mean"], found["shape"] = rng.uniform(0, 1, (4, 2)), rng.uniform(0.5, 1, (4, 3))
    found["strength"] = rng.uniform(0.2, 0.9, 4)
    return found


CASES = (
    Case("neighbours", "hashed", "at, table, out", (single(N), single_rows(19, 2), single_rows(N, 2), N, 19)),
    Case(
        "neighbours",
        "words",
        "table, place, out",
        (indices(N, 5), single_rows(15, 4), single_rows(3, 4), single_rows(3 * N, 4), N, 3),
        grid=6,
    ),
    Case("neighbours", "as_vectors", "in, out", (single(4 * N), indices(N, N), zeros(N, "f4"), N)),
    Case("neighbours", "blobs", "blob, image", (_blobs, indices(6, 4), 6, zeros(N, "f4"), N)),
    Case("neighbours", "coefficients", "c, x, y", (real(5 * (N // 32 + 1)), X, Y, N)),
)

TOGETHER = {
    "hashed": ("add_beside", (2, 2)),
    "words": ("add_beside", (4, 4)),
    "as_vectors": ("meeting_add", (2, 4)),
    "blobs": ("reduce_add", (6,)),
    "coefficients": ("reduce_add", (5,)),
}
