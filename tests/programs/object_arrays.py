"""Arrays of objects."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.kernels.making import real
from tests.programs.case import Program


def _cells(n: int) -> Callable[[np.random.Generator], Any]:
    return lambda rng: rng.uniform(0.3, 1.2, 2 * n).view([("mass", "f8"), ("charge", "f8")])


CASES = (
    Program("object_arrays", "copied_in", "in", (_cells(9), 9)),
    Program("object_arrays", "copied_out", "out, in", (_cells(9), real(9), 9)),
    Program("object_arrays", "around", "in", (real(9), 9, 3)),
    Program("object_arrays", "own_memory", "in", (real(9), _cells(9), _cells(9), 9)),
    Program("object_arrays", "own_steps", "in", (real(9), _cells(9), _cells(9), 9, 3)),
)
