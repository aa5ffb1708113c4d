"""Integer arguments that are named are differentiated as in the talk: adjoints of their type, in integer arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy

SQUARE = "__global__ void kernel(int *a) {\n  *a *= *a;\n}"

STRIDED = """
__global__ void add_kernel_4(int *out, int *in, int N) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  if (index < N) {
    int sum = 0;
    for (int i = index; i < N; i += warpSize) {
      sum += in[i];
    }
    out[index] = sum;
  }
}
"""

POLYNOMIAL = """
__global__ void poly(long long *y, long long *x, int k) {
  int i = threadIdx.x;
  y[i] = 3 * x[i] * x[i] - x[i] * k + y[i];
}
"""


def test_the_talks_first_kernel() -> None:
    with pytest.warns(UserWarning, match="is an integer: its adjoint is one too"):
        gradient = cladpy.gradient(SQUARE, "kernel", "a", backend="host")
    a, d = np.array([7], np.int32), np.array([3], np.int32)
    gradient.execute_kernel(1, 1, a, d)
    assert (a[0], d[0]) == (7, 2 * 7 * 3)


def test_the_talks_strided_sum() -> None:
    with pytest.warns(UserWarning, match="is an integer: its adjoint is one too"):
        gradient = cladpy.gradient(STRIDED, "add_kernel_4", "in, out", backend="host")
    n = 70
    out, x = np.zeros(n, np.int32), np.arange(n, dtype=np.int32)
    d_out, d_x = np.arange(1, n + 1, dtype=np.int32), np.full(n, 5, np.int32)
    expected = np.array([5 + sum(d_out[j] for j in range(i % 32, i + 1, 32)) for i in range(n)], np.int32)
    gradient.execute_kernel(3, 32, out, x, n, d_out, d_x)
    np.testing.assert_array_equal(d_x, expected)
    assert not d_out.any()


def test_integer_polynomial() -> None:
    with pytest.warns(UserWarning, match="is an integer: its adjoint is one too"):
        gradient = cladpy.gradient(POLYNOMIAL, "poly", "y, x", backend="host")
    y, x = np.array([1, 2, 3]), np.array([4, -5, 6])
    d_y, d_x = np.array([1, 2, -3]), np.array([10, 20, 30])
    gradient.execute_kernel(1, 3, y, x, 7, d_y, d_x)
    np.testing.assert_array_equal(d_x, np.array([10, 20, 30]) + np.array([1, 2, -3]) * (6 * x - 7))
    np.testing.assert_array_equal(d_y, [1, 2, -3])


def test_sums_over_warps_and_threads() -> None:
    """Integers may be added in any order."""
    text = """
    __global__ void sums(int *y, int *x, int *scale) {
      y[threadIdx.x] = __reduce_add_sync(0xffffffff, x[threadIdx.x] * (int)threadIdx.x) * *scale;
    }
    """
    with pytest.warns(UserWarning, match="is an integer: its adjoint is one too"):
        gradient = cladpy.gradient(text, "sums", "y, x, scale", backend="host", accumulate="deterministic")
    x, lane = np.arange(32, dtype=np.int32), np.arange(32, dtype=np.int32)
    d_y, d_x, d_scale = lane + 1, np.zeros(32, np.int32), np.zeros(1, np.int32)
    gradient.execute_kernel(1, 32, np.zeros(32, np.int32), x, np.array([3], np.int32), d_y.copy(), d_x, d_scale)
    np.testing.assert_array_equal(d_x, 3 * lane * d_y.sum())
    np.testing.assert_array_equal(d_scale, [(x * lane).sum() * d_y.sum()])


def test_what_is_no_function_of_the_argument_may_be_taken_apart() -> None:
    code = """
__global__ void k(const int *x, int *y, int n) {
  int i = threadIdx.x;
  int odd = x[i] % 2 ? 3 : n << 1;
  y[i] = -x[i] * (n % 5) + odd * ~n;
}
"""
    with pytest.warns(UserWarning, match="is an integer: its adjoint is one too"):
        gradient = cladpy.gradient(code, "k", "x, y", backend="host")
    x, y, d_x, d_y = (np.array(v, np.int32) for v in ([3, 4], [0, 0], [1, 1], [10, 20]))
    gradient.execute_kernel(1, 2, x, y, 8, d_x, d_y)
    np.testing.assert_array_equal(d_x, [1 - 10 * 3, 1 - 20 * 3])
