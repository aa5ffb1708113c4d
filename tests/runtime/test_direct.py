"""Calls with addresses and numbers, of which nothing is looked at."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
import tests.oracle  # noqa: F401  how units of tests are compiled
from cladpy import BackendError
from cladpy.runtime.direct import apart
from cladpy.runtime.library import GRADIENT, PRIMAL

TEXT = """
#include <stdexcept>
__global__ void squared(const double *x, double *y, double a) { y[threadIdx.x] = a * x[threadIdx.x] * x[threadIdx.x]; }
void f(const double *x, double *y, double a, int n) {
  if (n > 9) throw std::runtime_error("too many");
  squared<<<1, n>>>(x, y, a);
}
void g(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 3 * x[i];
}
"""


def test_programs_and_plain_functions() -> None:
    x, y, dx, dy = np.arange(4.0), np.zeros(4), np.zeros(4), np.ones(4)
    at = [a.ctypes.data for a in (x, y, dx, dy)]
    gradient = cladpy.gradient(TEXT, "f", "x, y", backend="host")
    primal, reverse = gradient.directly(PRIMAL, 0), gradient.directly(GRADIENT, 0)
    for a in (2.0, 5.0):
        primal([at[0], at[1], a, 4], [32, 32, 0, 0])
        np.testing.assert_array_equal(y, a * x * x)
        dx[:], dy[:] = 0, 1
        reverse([at[0], at[1], a, 4, at[2], at[3]], [32, 32, 0, 0, 32, 32])
        np.testing.assert_array_equal(dx, 2 * a * x)
    with pytest.raises(BackendError, match="too many"):
        primal([at[0], at[1], 2.0, 10], [32, 32, 0, 0])
    cladpy.gradient(TEXT, "g", "x, y", backend="host").directly(PRIMAL, 0)([at[0], at[1], 4], [32, 32, 0])
    np.testing.assert_array_equal(y, 3 * x)


def test_arrays_that_overlap_are_one() -> None:
    assert apart([100, 7, 300, 110], [20, 0, 8, 30]) == [(100, 140), (300, 308)]
