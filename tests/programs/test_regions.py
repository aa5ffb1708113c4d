"""Regions of which each thread of the team runs all: their values and gradients are those of as many threads as there
are."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import cladpy
from cladpy.toolchain.openmp import openmp_flags
from tests.programs.case import HERE

N = 13


def _each(x: np.ndarray, count: int) -> np.ndarray:
    gradient = np.zeros(N)
    gradient[0] = 1
    gradient[:2] += count * x[1::-1]
    gradient[1:] += count * x[:-1]
    gradient[:-1] += count * x[1:]
    return gradient


def _products(x: np.ndarray, count: int) -> np.ndarray:
    parts = np.array_split(x, count)  # the first ones have one more, as with the static schedule
    own = [0.5 + part @ part for part in parts]
    return np.concatenate([2 * part * np.prod(own) / mine for part, mine in zip(parts, own, strict=True)])


def _asked_for(x: np.ndarray, count: int) -> np.ndarray:
    """Whatever the number of threads, the program has two, three, and one."""
    gradient = np.zeros(N)
    for part in (slice(0, N, 2), slice(1, N, 2)):
        gradient[part] += 4 * x[part] * (x[part] @ x[part])
    gradient[:4] += 1
    return gradient


@pytest.mark.skipif(not openmp_flags("host"), reason="the compiler has no OpenMP")
@pytest.mark.parametrize(
    ("function", "expected"), [("each", _each), ("products", _products), ("asked_for", _asked_for)]
)
def test_for_each_number_of_threads(function: str, expected: object) -> None:
    assert callable(expected)
    gradient = cladpy.gradient(str(HERE / "regions.cu"), function, "x", backend="host")
    threads = ctypes.CDLL("libgomp.so.1")
    x = np.random.default_rng(5).uniform(0.5, 1.2, N)
    for count in (1, 2, 5):
        threads.omp_set_num_threads(count)
        adjoint = np.zeros(N)
        gradient.execute(x, N, adjoint)
        np.testing.assert_allclose(adjoint, expected(x, count), rtol=1e-12)
