"""Data for which programs are at their kinks: equal numbers, zeros of both signs, denormals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests.generator.program import GeneratedProgram

_TINY = {np.dtype(np.float32): 1e-41, np.dtype(np.float64): 5e-310}
_SIGNED = ((0.5,), (0.0, -0.0), (0.0, -0.0, 1.0), (0.5, 1.0), (-1.0, -0.0, 0.0, 1.0), (-0.5, 0.5), (0.0, None, 0.5))
# For programs that count on their data being positive.
_POSITIVE = ((0.5,), (0.0, -0.0), (0.0, 1.0), (0.5, 1.0), (0.25, 0.5, 1.0), (0.0, None, 0.5))


def at_kinks(program: GeneratedProgram, seed: int, signed: bool) -> GeneratedProgram:
    """The program with few different numbers in each of its arguments."""
    rng = np.random.default_rng((seed, 1))
    values = [_few(value, rng, _SIGNED if signed else _POSITIVE) for value in program.values]
    return replace(program, values=values, kinks=True)


def _few(value: Any, rng: np.random.Generator, palettes: tuple[tuple[float | None, ...], ...]) -> Any:
    if not isinstance(value, np.ndarray | np.generic):
        return value
    array = np.array(value)
    _fill(array, rng, palettes)
    return array if isinstance(value, np.ndarray) else array[()]


def _fill(array: np.ndarray, rng: np.random.Generator, palettes: tuple[tuple[float | None, ...], ...]) -> None:
    if array.dtype.names is not None:
        for name in array.dtype.names:
            _fill(array[name], rng, palettes)
    elif array.dtype.kind == "f":
        palette = palettes[rng.integers(len(palettes))]
        numbers = np.array([_TINY.get(array.dtype, 0.0) if v is None else v for v in palette], array.dtype)
        array[...] = numbers[rng.integers(len(numbers), size=array.shape)]
