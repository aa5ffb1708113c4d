"""Calls of traced gradients, on the host and on a device, and what is told of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from cladpy.runtime import Gradient

SOURCE = Path(__file__).with_name("nonfinite.cu")
LINES = SOURCE.read_text().split("\n")
N = 6


def line_of(mark: str) -> int:
    return next(k for k, line in enumerate(LINES, 1) if line.endswith(f"// {mark}"))


# Ways of nonfinite.cu with values for the first threads, of which the fourth is told: the mark of the line, the value
# whose adjoint it is, and operands.
ROWS: tuple[tuple[int, list[float], str, str, dict[str, float]], ...] = (
    (0, [1, 2, 3, 0.0], "root", "x[i]", {"x[i]": 0.0}),
    (1, [1, 2, 3, -1.0], "logarithm", "x[i]", {"x[i]": -1.0, "log": math.nan}),
    (2, [1, 2, 3, 0.0], "division", "x[i]", {"x[i]": 0.0}),
    (5, [4, 5, 6, 2.0, 4, 5], "loop", "x[i]", {"x[i]": 2.0, "j": 2}),
    (6, [1, 2, 3, 0.0], "inlined", "x[i]", {"x[i]": 0.0}),
    (9, [1, -2, -3, 0.0], "waited", "m", {"m": 0.0}),
    (12, [1, 2, -3, 0.0], "chosen_before", "fmax", {"fmax": 0.0}),
    (14, [1, 2, 3, 0.0], "local", "kept[way - 14]", {"kept[way - 14]": 0.0}),
)
# The same where a zero adjoint meets an infinite partial.
ZEROS: tuple[tuple[int, list[float], str], ...] = (
    (3, [1, 2, 3, 1000.0], "zero_times_infinity"),
    (10, [1, 2, 3, 0.0], "no_adjoint"),
)


def run(gradient: Gradient, way: int, x: list[float], f: float = 1.0, w: float = 1.0) -> tuple[Any, Any]:
    """The adjoints of x and f; six threads in three blocks."""
    values = np.ones(N) * 0.75
    values[: len(x)] = x
    d_x, d_f = np.zeros(N), np.zeros(N, np.float32)
    gradient.execute_kernel(
        3, 2, np.zeros(N), values, np.full(N, f, np.float32), way, N, np.full(N, float(w)), d_x, d_f
    )
    return d_x, d_f


def call_steps(gradient: Gradient, x: list[float], a: float) -> Any:
    d_x = np.zeros(4)
    given = np.zeros(4), np.array(x, float), np.zeros(4)
    gradient.execute(*given, a, np.ones(4), d_x, np.zeros(4), np.zeros(1))
    return d_x
