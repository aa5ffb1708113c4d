"""A gradient is a program like others: its own gradient agrees with differences of the first."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

N = 12
PROGRAM = """
__global__ void scaled(const double *x, double *y, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sin(x[i]) / y[i] + exp(x[i]) * atan2(x[i], y[i]);
}

// The adjoint of an element is added to by several threads.
__global__ void stencil(const double *x, double *y, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = x[i - 1] * x[i + 1] * y[i] + sqrt(x[i]);
}

__global__ void tiled(const double *x, double *y, double *out, int n) {
  __shared__ double tile[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? x[i] * y[i] : 0;
  __syncthreads();
  double sum = 0;
  for (int k = 0; k < 32; ++k) sum += tile[k] * tile[k];
  if (i < n) out[i] = tanh(sum * x[i]);
}

// What its loop overwrites is kept on a tape of fixed length.
__global__ void kept(const double *x, double *y, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < 5; ++k) s = s * cos(s) + y[i] / (k + 1);
  out[i] = s * s;
}

// Every thread adds to the adjoints of one element, and of a few.
__global__ void factors(const double *x, double *y, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum += y[k] * x[(i + k) % n] * x[i];
  out[i] = y[0] * y[0] * sum;
}

// What its loop overwrites is held at several distances, and most of it made again.
__global__ void iterated(const double *x, double *y, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < 6 * n; ++k) s = 0.9 * sin(s) + y[i] * s / (k + 2);
  out[i] = s * s;
}

__device__ double turned(double x, double y) { return x * pow(y, 2.5) * sin(x * y) + fmax(x, y) / hypot(x, y); }

double energy(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 1; i < n; ++i) sum += (x[i] - x[i - 1]) * (x[i] - x[i - 1]) * log(y[i]);
  return sum;
}

// What its loop overwrites is on a tape that grows, numbers and integers.
double marched(const double *x, const double *y, int n) {
  double s = 0;
  int seen = 1;
  for (int i = 0; i < n; ++i) {
    if (s > 0.5) seen += 2 * seen % 3 + 1;
    s = s * cos(s) + x[i] * y[i] / seen;
  }
  return s * seen;
}

// Nothing above comes to a launch.
void launches(double *x, int n) { scaled<<<1, 32>>>(x, x, x, n); }
"""


CASES = [
    *itertools.product(["scaled", "stencil", "tiled", "kept", "factors"], ["host", "cuda"]),
    ("iterated", "host"),
    ("scaled", "hip"),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("second") / "program.cu"
    path.write_text(PROGRAM)
    return path


def _given() -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    return [rng.uniform(0.5, 1.5, N) for _ in range(3)]


@pytest.mark.parametrize("kernel, emitted", CASES)
def test_of_a_kernel(kernel: str, emitted: str, path: Path) -> None:
    first = cladpy.gradient(str(path), kernel, "x, y, out", backend="host")
    code = first.code
    if emitted != "host":
        code = differentiate(Source.load(path), kernel, "x, y, out", Options.make(), emitted).code
    names = "x, y, _d_x, _d_y, _d_out"
    second = cladpy.gradient(code, f"{kernel}_grad", names, backend="host", include_dirs=[str(path.parent)])
    x, y, w = _given()
    weights = np.random.default_rng(7).normal(size=(2, N))

    def product(x: Any, y: Any, w: Any) -> float:
        """The weights times the first gradient by x and y, where `w` is the cotangent of `out`."""
        d_x, d_y, d_out = np.zeros(N), np.zeros(N), w.copy()
        first.execute_kernel(1, 32, x, y, np.zeros(N), N, d_x, d_y, d_out)
        return float(weights[0] @ d_x + weights[1] @ d_y)

    found = [np.zeros(N) for _ in range(2)]
    of_adjoints = [weights[0].copy(), weights[1].copy(), np.zeros(N)]
    primal = [x.copy(), y.copy(), np.zeros(N), N, np.zeros(N), np.zeros(N), w.copy()]
    second.execute_kernel(1, 32, *primal, *found, *of_adjoints)
    for wanted, had in zip(_differences(product, [x, y, w]), [*found, of_adjoints[2]], strict=True):
        np.testing.assert_allclose(had, wanted, rtol=1e-7, atol=1e-7)


def test_of_a_device_function(path: Path) -> None:
    first = cladpy.gradient(str(path), "turned", "x, y", backend="host")
    text = (
        first.code
        + """
__global__ void at(const double *x, const double *y, double *d_x, double *d_y, int n) {
  int i = threadIdx.x;
  if (i < n) turned_grad(x[i], y[i], &d_x[i], &d_y[i]);
}
"""
    )
    given: dict[str, Any] = {"backend": "host", "include_dirs": [str(path.parent)]}
    second = cladpy.gradient(text, "at", "x, y, d_x, d_y", **given)
    x, y, _ = _given()
    weights = np.random.default_rng(7).normal(size=(2, N))

    def product(x: Any, y: Any) -> float:
        d_x, d_y = np.zeros(N), np.zeros(N)
        second.primal.execute_kernel(1, 32, x, y, d_x, d_y, N)
        return float(weights[0] @ d_x + weights[1] @ d_y)

    found = [np.zeros(N), np.zeros(N)]
    second.execute_kernel(1, 32, x, y, np.zeros(N), np.zeros(N), N, *found, *weights.copy())
    for wanted, had in zip(_differences(product, [x, y]), found, strict=True):
        np.testing.assert_allclose(had, wanted, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("function", ["energy", "marched"])
def test_of_a_host_function(function: str, path: Path) -> None:
    first = cladpy.gradient(str(path), function, "x, y", backend="host")
    second = cladpy.gradient(
        first.code, f"{function}_grad", "x, y, _d_x, _d_y", backend="host", include_dirs=[str(path.parent)]
    )
    x, y, _ = _given()
    weights = np.random.default_rng(7).normal(size=(2, N))

    def product(x: Any, y: Any) -> float:
        d_x, d_y = np.zeros(N), np.zeros(N)
        first.execute(x, y, N, d_x, d_y)
        return float(weights[0] @ d_x + weights[1] @ d_y)

    found = [np.zeros(N), np.zeros(N)]
    second.execute(x, y, N, np.zeros(N), np.zeros(N), 1.0, *found, *weights.copy())
    for wanted, had in zip(_differences(product, [x, y]), found, strict=True):
        np.testing.assert_allclose(had, wanted, rtol=1e-7, atol=1e-7)


def test_a_power_of_zero() -> None:
    """By x and y, x^y has the second derivative 1 / x where y is 0, though its first derivative by x is 0 there."""
    text = """
__global__ void power(const double *x, const double *y, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = pow(x[i], y[i]);
}
"""
    first = cladpy.gradient(text, "power", "x, y, out", backend="host")
    second = cladpy.gradient(first.code, "power_grad", "x, y, _d_x, _d_out", backend="host")
    x, d_x, d_y = np.array([0.5]), np.zeros(1), np.zeros(1)
    given = (x, np.zeros(1), np.zeros(1), np.zeros(1), np.zeros(1), np.ones(1))
    second.execute_kernel(1, 1, *given, d_x, d_y, np.ones(1), np.zeros(1))
    assert (d_x[0], d_y[0]) == (0, 2)


def _differences(product: Any, at: list[np.ndarray], step: float = 1e-5) -> list[np.ndarray]:
    found = [np.zeros(N) for _ in at]
    for k, result in enumerate(found):
        for i in range(N):
            values = []
            for sign in (1, -1):
                moved = [a.copy() for a in at]
                moved[k][i] += sign * step
                values.append(product(*moved))
            result[i] = (values[0] - values[1]) / (2 * step)
    return found
