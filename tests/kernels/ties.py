"""What is differentiated in ties.cu, on inputs in which many numbers are equal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

Filled = Callable[[np.random.Generator], np.ndarray]


def filled(n: int, what: str, dtype: type = np.float64) -> Filled:
    """Numbers of a row: all equal, few different ones, a few that share the largest, or all different."""

    def make(rng: np.random.Generator) -> np.ndarray:
        small = rng.integers(-2, 3, n).astype(dtype)
        return {
            "equal": np.full(n, 0.5, dtype),
            "zero": np.where(rng.random(n) < 0.5, 0.0, -0.0).astype(dtype),
            "few": small,
            "different": rng.permutation(n).astype(dtype) / n,
        }[what]

    return make


WHAT = ("equal", "zero", "few", "different")


def _rows(function: str, n: int, dtype: type, *more: object, **launch: object) -> list[Case]:
    return [
        Case("ties", function, "x, y", (filled(n, what, dtype), zeros(n, _result(dtype)), *more), label=what, **launch)
        for what in WHAT
    ]


def _result(dtype: type) -> type:
    return np.float32 if dtype is np.float16 else dtype


def _computed(function: str, what: str, *more: object) -> Case:
    values = (filled(32, what, np.float32), zeros(64, "f4"), *more)
    return Case("ties", function, "x, y", values, 1, 32, what, one_launch=True)


def _stable(what: str) -> Case:
    values = (filled(32, what), filled(32, what), zeros(192))
    return Case("ties", "stable", "a, b, y", values, 1, 32, what, one_launch=True)


ONE = {"grid": 1, "block": 32, "one_launch": True}
CASES = (
    *(case for form in range(6) for case in _rows(f"butterfly<{form}>", 64, np.float32, one_launch=True)),
    *_rows("opposite", 32, np.float64, **ONE),
    *_rows("of_index", 32, np.float64, **ONE),
    *_rows("circle", 32, np.float64, **ONE),
    *_rows("unrolled_circle", 32, np.float64, **ONE),
    *_rows("scan", 32, np.float64, **ONE),
    *_rows("of_groups", 64, np.float32, one_launch=True),
    *(case for form in range(5) for case in _rows(f"from_own_place<{form}>", 32, np.float64, 32, **ONE)),
    *(case for form in range(6) for case in _rows(f"own_first<{form}>", 32, np.float64, **ONE)),
    *(case for form in range(3) for case in _rows(f"online<{form}>", 32, np.float64, 32, **ONE)),
    *_rows("of_block", 256, np.float32, block=128, one_launch=True),
    *_rows("told", 32, np.float64, **ONE),
    *_rows("of_halves", 32, np.float16, **ONE),
    *_rows("of_compared_halves", 32, np.float16, 32, **ONE),
    *(case for form in range(3) for case in _rows(f"sorted<{form}>", 32, np.float64, **ONE)),
    *map(_stable, WHAT),
    *(_computed("computed", what) for what in WHAT),
    *(_computed("by_macros", what, 12) for what in ("different", "few")),
    Case(
        "ties",
        "clamped",
        "a, y",
        (lambda rng: -rng.uniform(0.1, 2.0, 32).astype(np.float32), zeros(32, np.float32)),
        1,
        32,
        "below",
        one_launch=True,
    ),
    Case(
        "ties",
        "clamped",
        "a, y",
        (lambda rng: rng.uniform(0.1, 0.9, 32).astype(np.float32), zeros(32, np.float32)),
        1,
        32,
        "inside",
        one_launch=True,
    ),
    Case(
        "ties",
        "masked",
        "q, k, v, scale, y",
        (real(32), real(32), real(32), lambda rng: (rng.random(32) < 0.6).astype(np.int32), real(1), zeros(32), 32),
        1,
        32,
        one_launch=True,
    ),
)
