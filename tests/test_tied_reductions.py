"""The gradient of a log-sum-exp is the softmax, in closed form, however its maximum was found and however often the
largest number occurs: each way in one type, with CLADPY_TEST_ALL in each."""

from __future__ import annotations

import os

import numpy as np
import pytest

import cladpy
from tests.kernels.case import HERE
from tests.kernels.tied_reductions import FORMS, ROWS, TYPES
from tests.programs.case import HERE as PROGRAMS
from tests.programs.tied_algorithms import FUNCTIONS

PATH = HERE / "tied_reductions.cu"
ALL = bool(os.environ.get("CLADPY_TEST_ALL"))


def _inputs(n: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    return {
        "equal": np.full((ROWS, n), 0.5),
        "few": rng.integers(-2, 3, (ROWS, n)).astype(float),
        "signed zeros": np.where(rng.random((ROWS, n)) < 0.5, 0.0, -0.0),
        "masked": np.where(rng.random((ROWS, n)) < 0.5, -np.inf, rng.integers(0, 2, (ROWS, n))),
    }


def _softmax(numbers: np.ndarray) -> np.ndarray:
    shares = np.exp(numbers - numbers.max(1, keepdims=True))
    result: np.ndarray = shares / shares.sum(1, keepdims=True)
    return result


@pytest.mark.parametrize("function", FORMS)
def test_is_the_softmax(function: str) -> None:
    forms, n = FORMS[function]
    for form in range(forms):
        for type in TYPES if ALL else list(TYPES)[form % len(TYPES) :][:1]:
            gradient = cladpy.gradient(PATH, f"{function}<{form}, {type}>", "x, y", backend="host")
            for what, numbers in _inputs(n).items():
                x, y = numbers.astype(TYPES[type]).reshape(-1), np.zeros(ROWS, np.float32)
                found = np.zeros(x.shape, np.float64 if type == "double" else np.float32)
                gradient.execute_kernel(ROWS, n, x, y, found, np.ones(ROWS, np.float32))
                said = f"{form} {type} {what}"
                np.testing.assert_allclose(found.reshape(ROWS, n), _softmax(numbers), 2e-6, 2e-6, err_msg=said)


def test_is_the_softmax_by_algorithms_of_libraries() -> None:
    for function in FUNCTIONS:
        gradient = cladpy.gradient(PROGRAMS / "tied_algorithms.cu", function, "x", backend="host")
        for what, numbers in _inputs(50).items():
            found = np.zeros(50)
            gradient.execute(numbers[0].copy(), 50, found)
            np.testing.assert_allclose(found, _softmax(numbers)[0], 1e-12, 1e-12, err_msg=f"{function} {what}")
