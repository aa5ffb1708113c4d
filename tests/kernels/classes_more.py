"""What is differentiated in classes_more.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import Make, members, real, shaped, single


def with_bit_fields(n: int) -> Make:
    """Objects of two bytes of bit-fields, which have no name in NumPy, two of padding, and a float."""

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, np.dtype({"names": ["v"], "formats": ["f4"], "offsets": [4], "itemsize": 8}))
        made.view(np.uint8).reshape(n, 8)[:, :2] = rng.integers(0, 256, (n, 2))
        made["v"] = rng.uniform(0.2, 1.2, n)
        return made

    return make


def spheres(rng: np.random.Generator) -> Any:
    """Before the eyes, so that some rays hit them and are thrown on, and some do not."""
    made = rng.uniform(0.2, 1.2, (N, 8))
    made[:4, :3] += [(0.5, 0.8, -4.0), (3.0, 0.8, -2.0), (5.0, 0.5, -1.0), (1.5, 2.0, -6.0)]
    made[:4, 3] += 0.5
    return made


VEC = shaped(N, 3)

CASES = (
    Case("classes_more", "trace", "s, eye, image", (spheres, VEC, VEC, N)),
    Case("classes_more", "indexed_components", "v, y", (VEC, Y, N)),
    Case("classes_more", "chained", "a, b, c", (VEC, VEC, VEC, N)),
    Case("classes_more", "ternaries", "a, b, y", (VEC, VEC, Y, N)),
    Case("classes_more", "hidden", "d, y", (VEC, Y, N)),
    Case(
        "classes_more",
        "ambiguous_value",
        "d, e, x, y",
        (
            members(L=members(v=0.3), R=members(v=0.4), w=0.5),
            members(B1=members(a=0.6, b=0.7), a=0.8),
            X,
            Y,
            N,
        ),
    ),
    Case("classes_more", "gemv", "A, x, y", (members(m_data=X, m_rows=3, m_cols=3), X, Y, N)),
    Case(
        "classes_more",
        "privates",
        "a, b, c, y",
        (shaped(N, 8), shaped(N, 8), members(re=0.3, im=0.4, hist=[1, 2, 3], inner=members(q=0.5, r=[0.2, 0.7])), Y, N),
    ),
    Case(
        "classes_more",
        "tensor",
        "t, u, y",
        (members(data=real(15), stride=[3, 1]), members(data=real(3), stride=[1]), X, N),
    ),
    Case("classes_more", "pointer_branches", "a, b, y", (shaped(N, 2), shaped(N, 2), Y, N)),
    Case("classes_more", "swapped_rows", "x, y", (X, Y, N)),
    Case("classes_more", "bit_fields_in_memory", "b, x", (with_bit_fields(N), with_bit_fields(1), single(N), N)),
    Case("classes_more", "private_base", "a, y", (shaped(N, 9), X, N)),
)
