"""Objects of numbers of several types."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.programs.case import Program

STATE = np.dtype([("spin", [("x", "f4"), ("y", "f4")]), ("on", "?")], align=True)
CELL = np.dtype([("mass", "f8"), ("velocity", "f8", 3), ("charge", "f4"), ("kind", "i4"), ("state", STATE)], align=True)


def cells(rng: np.random.Generator) -> Any:
    found = np.zeros(4, CELL)
    found["mass"], found["velocity"] = rng.uniform(0.2, 1, 4), rng.uniform(0.2, 1, (4, 3))
    found["charge"], found["kind"] = rng.uniform(0.2, 1, 4), [0, 1, 1, 0]
    found["state"]["spin"]["x"], found["state"]["on"] = rng.uniform(0.2, 1, 4), [1, 1, 0, 1]
    return found


CASES = (Program("mixed_objects", "moved", "given, dt", (cells, 0.1, 4, 3)),)
