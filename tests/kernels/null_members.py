"""What is differentiated in null_members.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import members, real, rows

NOTHING = members(weights=None, rows=None, nodes=None, scale=0.5, count=3)
ALL = members(weights=real(N), rows=rows(2, N), nodes=None, scale=0.5, count=3)


def holes(rng: np.random.Generator) -> Any:
    return [None, rng.uniform(0.2, 1.2, N)]


def nodes(rng: np.random.Generator) -> Any:
    def node(next: Any, data: bool) -> dict[str, Any]:
        return {"value": rng.uniform(0.2, 1.2), "next": next, "data": rng.uniform(0.2, 1.2, N) if data else None}

    return [node([node(None, True)], False), node(None, True)]


CASES = (
    Case("null_members", "optional", "x, y, o, table, maybe", (X, Y, ALL, rows(2, N), real(N), N)),
    Case("null_members", "optional", "x, y", (X, Y, NOTHING, None, None, N), label="nothing"),
    Case(
        "null_members",
        "optional",
        "x, y, o, table",
        (X, Y, members(weights=None, rows=holes, nodes=None, scale=0.5, count=3), holes, None, N),
        label="holes",
    ),
    Case(
        "null_members", "listed", "x, y", (X, Y, members(weights=None, rows=None, nodes=nodes, scale=0.5, count=3), N)
    ),
    Case(
        "null_members",
        "variables",
        "x, y, buffer, options",
        (X, Y, N),
        variables={
            "buffer": real(N),
            "options": members(weights=None, rows=None, nodes=None, scale=0.5, count=3),
        },
    ),
)
