"""What is differentiated in thrust_complex.cu."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros


def _on_axis(rng: np.random.Generator) -> Any:
    """Pairs of a number and a zero."""
    return np.stack([rng.uniform(0.2, 0.9, 16), np.zeros(16)], 1).ravel()


CASES = (
    Case("thrust_complex", "arithmetic", "x, s, y", (single(128), single(64), zeros(128, "f4")), one_launch=True),
    Case("thrust_complex", "parts", "x, y", (real(128), zeros(64)), one_launch=True),
    Case("thrust_complex", "functions", "x, y", (real(32), zeros(7 * 32)), 1, 16, one_launch=True),
    Case("thrust_complex", "on_axes", "x, y", (_on_axis, zeros(6 * 16)), 1, 16, one_launch=True),
    Case("thrust_complex", "escape", "c, y", (real(128), zeros(64), 12), one_launch=True),
)
