"""The gradients of two programs at one point, for one cotangent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import cladpy
from cladpy.check.gradient_check import sample
from tests.generator import GeneratedProgram

# Relative to the largest adjoint of an argument: what rounding may come to in another order of the same sums.
BOUNDS = {np.dtype(np.float64): 1e-11, np.dtype(np.float32): 1e-4}


def adjoints(program: GeneratedProgram, text: str | None = None) -> list[NDArray[Any]]:
    """What the gradient of the program, or of another text in its place, adds to the adjoints of its arguments."""
    gradient = cladpy.gradient(text or program.text, program.function, program.args, backend="host")
    return sample(gradient, program.grid, program.block, program.values, seed=3, shared_mem=program.shared_mem)


def difference(first: list[NDArray[Any]], second: list[NDArray[Any]]) -> float:
    """In units of what rounding explains; infinite where one is NaN and the other is not."""
    worst = 0.0
    for a, b in zip(first, second, strict=True):
        if not np.array_equal(np.isfinite(a), np.isfinite(b)):
            return float("inf")
        scale = np.abs(np.nan_to_num(a)).max(initial=0.0) or 1.0
        worst = max(worst, float(np.nan_to_num(np.abs(a - b)).max(initial=0.0) / scale / BOUNDS[a.dtype]))
    return worst


@contextmanager
def optimised(level: str) -> Iterator[None]:
    """What is compiled meanwhile is compiled so."""
    with mock.patch.dict(os.environ, {"CLADPY_HOST_FLAGS": level}):
        yield
