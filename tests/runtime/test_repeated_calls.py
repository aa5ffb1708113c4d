"""Calls of functions that are made again give what they give alone."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import BackendError, CladpyError
from cladpy.runtime import host_order, rebound
from cladpy.runtime.gradient import Gradient
from cladpy.runtime.host_runtime import watching_runtime

SOURCE = """
#include <stdexcept>
double weighted(int n, float s, const double *x, double *y) {
  if (n > 4) throw std::runtime_error("more than four");
  double r = 0;
  for (int i = 0; i < n; ++i) { y[i] = s * x[i] * x[i]; r += y[i] * x[i]; }
  return r;
}
"""
OF_NUMBERS = """
float halved(const float *x) { return x ? 0.5f * x[0] * x[0] : 0; }
bool doubled(double *x) { x[0] *= 2; return x[0] > 0; }
struct Two { double a, b; };
double product(Two t) { return t.a * t.b; }
"""


@pytest.fixture(autouse=True)
def as_users_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """In no order, unlike other tests."""
    monkeypatch.delenv("CLADPY_HOST_FIBERS", raising=False)


def made(**options: object) -> Gradient:
    return cladpy.gradient(SOURCE, "weighted", "s, x, y", backend="host", **options)  # type: ignore[arg-type]


def arrays(seed: int = 0) -> list[np.ndarray]:
    """x, y, and the adjoints of s, x and y."""
    rng = np.random.default_rng(seed)
    return [rng.normal(size=n) if n > 1 else np.zeros(1, "f4") for n in (4, 4, 1, 4, 4)]


def expected(n: int, s: float, x: np.ndarray, y: np.ndarray, *adjoints: np.ndarray, seed: float) -> list[np.ndarray]:
    """By hand."""
    x, y = x[:n].copy(), y.copy()
    d_s, d_x, d_y = (a.astype(float) for a in adjoints)
    of_y = d_y[:n] + seed * x
    d_x[:n] += of_y * 2 * s * x + seed * s * x**2
    d_s += (of_y * x * x).sum()
    d_y[:n] = 0
    return [d_s, d_x, d_y]


@pytest.mark.parametrize("by_words", [True, False])
def test_a_call_with_other_values_is_what_it_is_alone(by_words: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebound, "_READS_WORDS", by_words)
    gradient = made()
    calls = (
        (4, 1.5, 1.0),
        (3, np.float32(2), 0.5),
        (np.int64(4), -1, np.float64(3)),
        (0, 1.5, 1),
        (2, float("nan"), 2),
    )
    for k, (n, s, seed) in enumerate(calls):
        given = arrays(k)
        want = expected(int(n), float(s), *given, seed=float(seed))
        d_s, d_x, d_y = given[2:]
        if k % 2:
            named = dict(x=given[0], y=given[1], d_y=d_y, d_x=d_x, d_s=d_s)
            gradient.execute(n, s, cotangent=seed, **named)
        else:
            gradient.execute(n, s, *given, cotangent=seed)
        for got, right in zip((d_s, d_x, d_y), want, strict=True):
            np.testing.assert_allclose(got, right, rtol=1e-6)
        value = gradient.primal.execute(n, s, *given[:2])
        np.testing.assert_allclose(value, float(s) * (given[0][: int(n)] ** 3).sum() if n else 0.0, rtol=1e-12)
        assert type(value) is float
    assert len(gradient._calls._kinds) == len(gradient.primal._calls._kinds) == 1


def test_what_does_not_fit_is_refused_after_one_that_did() -> None:
    gradient, fits = made(), arrays()
    gradient.execute(4, 1.5, *fits)
    gradient.primal.execute(4, 1.5, *fits[:2])
    assert gradient._calls._kinds and gradient.primal._calls._kinds
    read_only = np.zeros(4)
    read_only.flags.writeable = False
    for position, value, message in (
        (0, 2**40, "does not fit"),
        (0, 4.5, "expected an integer"),
        (1, 1e300, "does not fit"),
        (1, None, "expected a number"),
        (2, fits[0].astype("f4"), "float32"),
        (2, np.zeros(8)[::2], "contiguous"),
        (3, read_only, "read-only"),
        (3, fits[0], "share memory"),
        (5, fits[0], "share memory"),
        (5, np.zeros(3), "expected 4 elements"),
        (4, np.zeros(1), "float64"),
    ):
        values: list[object] = [4, 1.5, *fits]
        values[position] = value
        before = [a.tobytes() for a in fits]
        with pytest.raises(CladpyError, match=message):
            gradient.execute(*values)
        if position < 4 and message != "share memory":
            with pytest.raises(CladpyError, match=message):
                gradient.primal.execute(*values[:4])
        assert [a.tobytes() for a in fits] == before
    for seed in ("1", None, 10**400):
        with pytest.raises(CladpyError, match="cotangent"):
            gradient.execute(4, 1.5, *fits, cotangent=seed)
    with pytest.raises(CladpyError, match="not __global__"):
        gradient.execute_kernel(1, 1, 4, 1.5, *fits)
    with pytest.raises(CladpyError, match="takes 7 arguments"):
        gradient.execute(4, 1.5, *fits[:-1])


def test_a_kernel_is_not_called_after_a_launch() -> None:
    gradient = cladpy.gradient("__global__ void k(double *x) { x[0] *= x[0]; }", "k", "x", backend="host")
    x, dx = np.ones(1), np.ones(1)
    for run, given in ((gradient, (x, dx)), (gradient.primal, (x,))):
        run.execute_kernel(1, 1, *given)
        with pytest.raises(CladpyError, match="execute_kernel"):
            run.execute(*given)


def test_arrays_that_only_the_primal_lets_overlap() -> None:
    gradient = made()
    x, y = arrays()[:2]
    gradient.primal.execute(4, 1.0, x, y)
    shared = x.copy()
    assert gradient.primal.execute(4, 1.0, shared, shared) == pytest.approx((x**4).sum())


def test_an_error_of_the_program_is_raised_each_time() -> None:
    gradient, given = made(), arrays()
    for run, values in ((gradient, given), (gradient.primal, given[:2])):
        run.execute(4, 1.0, *values)
        for _ in range(2):
            with pytest.raises(BackendError, match="more than four"):
                run.execute(5, 1.0, *values)
        run.execute(4, 1.0, *values)


def test_calls_of_several_threads() -> None:
    gradient = made()
    gradient.primal.execute(4, 1.0, *arrays()[:2])
    wrong: list[object] = []

    def work(seed: int) -> None:
        given = arrays(seed)
        want = (given[0] ** 3).sum() * np.float32(seed)
        for _ in range(300):
            value = gradient.primal.execute(4, float(seed), *given[:2])
            if not np.isclose(value, want):
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_what_looks_at_a_call_sees_each() -> None:
    """Where more than the call is asked for, nothing is left out."""
    for options in ({"checked": True}, {"trace_nonfinite": True}):
        gradient = made(**options)
        gradient.execute(4, 1.0, *arrays())
        assert not gradient._calls._kinds
    gradient, given = made(), arrays()
    gradient.execute(4, 1.0, *given)
    ((_, known),) = gradient._calls._kinds
    with host_order("reverse"):
        assert known.launch((4, 1.0, *given, 1.0), None) is None
        gradient.execute(4, 1.0, *given)


def test_adjoints_of_arguments_that_are_one_memory() -> None:
    gradient = made(may_alias=True)
    one = arrays()
    gradient.execute(3, 1.0, one[0], one[1], one[2], one[3], one[4])
    with pytest.raises(CladpyError, match="share memory"):
        gradient.execute(3, 1.0, one[0], one[0], one[2], one[3], one[4])


def test_values_of_all_kinds() -> None:

    halved = cladpy.gradient(OF_NUMBERS, "halved", "x", backend="host")
    for value in (3.0, 5.0):
        x, dx = np.full(1, value, "f4"), np.zeros(1, "f4")
        assert halved.primal.execute(x) == 0.5 * value * value
        halved.execute(x, dx, cotangent=2.0)
        assert dx[0] == 2 * value
        assert halved(x)["x"][0] == value
    for _ in range(2):
        assert halved.primal.execute(None) == 0.0
    doubled = cladpy.gradient(OF_NUMBERS, "doubled", "x", backend="host")
    for _ in range(2):
        x, dx = np.full(1, 3.0), np.ones(1)
        value = doubled.primal.execute(x)
        assert type(value) is int and value == 1 and x[0] == 6
        doubled.execute(np.full(1, 3.0), dx)
        assert dx[0] == 2
        with pytest.raises(CladpyError, match="returns no floating-point value"):
            doubled.execute(x, dx, cotangent=2.0)
    product = cladpy.gradient(OF_NUMBERS, "product", "t", backend="host")
    two = np.zeros(1, [("a", "f8"), ("b", "f8")])
    for a in (2.0, 3.0):
        d = np.zeros_like(two)
        product.execute({"a": a, "b": 5.0}, d)
        assert d[0].tolist() == (5.0, a)
        two["a"], two["b"] = a, 7.0
        product.execute(two[0], d)
        assert d[0].tolist() == (12.0, 2 * a)
        assert product.primal.execute(two[0]) == 7 * a


def test_null_is_watched_again() -> None:
    """A launch with null is not repeated unseen: another may follow it."""
    kernel = (
        "__global__ void k(const double *x, const double *w, double *y, int n, int weighted) {\n"
        "  int i = threadIdx.x;\n"
        "  if (i < n) y[i] = x[i] * (weighted ? w[i] : 2.0);\n"
        "}\n"
    )
    grad = cladpy.gradient(kernel, "k", "x, y", backend="host")
    x, y = np.ones(4), np.zeros(4)
    for _ in range(2):
        d_x = np.zeros(4)
        grad.execute_kernel(1, 4, x, None, y, 4, 0, d_x, np.ones(4))
        assert d_x.tolist() == [2] * 4
    with pytest.raises(BackendError, match="'w' is null, and is used"):
        grad.execute_kernel(1, 4, x, None, y, 4, 1, d_x, np.ones(4))


PROGRAM = """
__global__ void scaled(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] *= a * x[i];
}
int program(int n, double a, const double *x, double *y) {
  double *copy;
  cudaMalloc(&copy, n * sizeof(double));
  cudaMemcpy(copy, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int k = 0; k < 2; ++k) scaled<<<(n + 31) / 32, 32>>>(n, a, copy, y);
  cudaFree(copy);
  return n;
}
"""


def test_host_programs() -> None:
    gradient = cladpy.gradient(PROGRAM, "program", "a, x, y", backend="host")
    kept = set()
    for k in range(4):
        rng = np.random.default_rng(k)
        n, a = 40, 1.5 + k
        x, y, d_x, d_y = (rng.normal(size=n) for _ in range(4))
        d_a, before, seed = np.zeros(1), (y.copy(), d_x.copy()), d_y.copy()
        assert gradient.primal.execute(n, a, x, y) == n
        np.testing.assert_allclose(y, before[0] * (a * x) ** 2, rtol=1e-14)
        gradient.execute(n, a, x, before[0], d_a, d_x, d_y)
        np.testing.assert_allclose(d_x, before[1] + 2 * seed * before[0] * a * a * x, rtol=1e-12)
        np.testing.assert_allclose(d_a, 2 * (seed * before[0] * a * x * x).sum(), rtol=1e-12)
        np.testing.assert_allclose(d_y, seed * (a * x) ** 2, rtol=1e-12)
        kept.add(gradient.report)
    assert len(gradient._calls._kinds) == len(gradient.primal._calls._kinds) == len(kept) == 1
    shared = np.ones(40)  # one memory to the program, which may be
    assert gradient.primal.execute(40, 1.0, shared, shared) == 40
    with watching_runtime(fail_at=1), pytest.raises(BackendError):
        gradient.primal.execute(40, 1.0, x, y)


def test_what_was_promised_to_be_zero_is_looked_at_in_each_call() -> None:
    gradient = made(fresh="x")
    for k in range(3):
        x, y, d_s, d_x, d_y = arrays(k)
        d_x[:] = 0
        want = expected(4, 1.5, x, y, d_s, d_x, d_y, seed=1.0)
        gradient.execute(4, 1.5, x, y, d_s, d_x, d_y)
        np.testing.assert_allclose(d_x, want[1], rtol=1e-6)
        with pytest.raises(CladpyError, match="fresh promises"):
            gradient.execute(4, 1.5, x, y, d_s, d_x, d_y)
    assert gradient._calls._kinds
