"""The split form: what the two halves give, what lies between them, and what becomes of it."""

from __future__ import annotations

import gc
import runpy
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cladpy
from cladpy.runtime import Gradient, host_order
from cladpy.runtime.host_runtime import watching_runtime
from tests.programs.cases import CASES

TEXT = """
__global__ void in_place(double *x, const double *w, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = x[i] * x[i] * w[i];
  y[i] = x[i] * x[i];
}
__global__ void scaled(const double *x, double s, double *y) { y[threadIdx.x] = x[threadIdx.x] * s; }
__device__ double state[3] = {1.0, 2.0, 3.0};
__global__ void through_variable(double *x) {
  int i = threadIdx.x;
  x[i] *= state[i] * state[i];
  state[i] = x[i];
}
struct View {
  double *data;
  const double *by;
};
__global__ void through_view(View v) { v.data[threadIdx.x] *= v.data[threadIdx.x] * v.by[threadIdx.x]; }
__global__ void through_rows(double **rows, int n) {
  for (int r = 0; r < n; ++r) rows[r][threadIdx.x] *= rows[r][threadIdx.x];
}
__global__ void added(double *x, const double *y) { x[threadIdx.x] *= x[threadIdx.x] + y[threadIdx.x]; }
__global__ void summed(const double *x, double *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(sum, x[i] * x[i]);
}
__device__ double cubed(double x, double *last) { return *last = x * x * x * *last; }
double sum_of_squares(double *x, double s, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    x[i] *= x[i] * s;
    sum += x[i] * x[i];
  }
  return sum;
}
"""


def gradient_of(function: str, args: str = "", **options: Any) -> Gradient:
    return cladpy.gradient(TEXT, function, args, backend="host", **options)


def ramp(n: int = 4) -> NDArray[np.float64]:
    return np.arange(1.0, n + 1)


def test_a_kernel() -> None:
    """The same numbers as in one call; what the original wrote is there, and stays."""
    grad = gradient_of("in_place", "x, w, y")
    expected = [np.ones(4), np.zeros(4), np.full(4, 2.0)]
    grad.execute_kernel(2, 2, ramp(), ramp(), np.zeros(4), 4, *expected)
    x, w, y = ramp(), ramp(), np.zeros(4)
    result, tape = grad.forward(2, 2, x, w, y, 4)
    assert result is None and np.array_equal(x, ramp() ** 3) and np.array_equal(y, x * x)
    assert tape.is_open and tape.nbytes == 32  # x is copied; w is not written, and y not read
    found = [np.ones(4), np.zeros(4), np.full(4, 2.0)]
    x[:], y[:] = 7, 8  # of no account
    grad.reverse(tape, *found)
    assert all(np.array_equal(f, e) for f, e in zip(found, expected, strict=True))
    assert (x == 7).all() and (y == 8).all()


def test_nothing_is_kept_where_nothing_is_overwritten() -> None:
    grad = gradient_of("scaled")
    x, dx, ds, dy = ramp(), np.zeros(4), np.zeros(1), np.ones(4)
    _, tape = grad.forward(1, 4, x, 3.0, np.zeros(4))
    assert tape.nbytes == 0
    x[0] = 5  # is read where it lies: must not be changed
    grad.reverse(tape, dx, ds, dy)
    assert list(ds) == [14] and (dx == 3).all() and not dy.any()


def test_functions_give_their_value() -> None:
    grad = gradient_of("sum_of_squares", "x, s")
    expected = [np.zeros(4), np.zeros(1)]
    grad.execute(ramp(), 0.5, 4, *expected, cotangent=3.0)
    x, dx, ds = ramp(), np.zeros(4), np.zeros(1)
    value, tape = grad.forward(x, 0.5, 4)
    assert value == (x * x).sum() and np.array_equal(x, ramp() ** 2 / 2)
    grad.reverse(tape, dx, ds, cotangent=3.0)
    np.testing.assert_allclose(dx, expected[0], rtol=1e-15)
    np.testing.assert_allclose(ds, expected[1], rtol=1e-15)

    grad = gradient_of("cubed", "x, last")
    last, dx, dlast = np.array([2.0]), np.zeros(1), np.zeros(1)
    value, tape = grad.forward(3.0, last)
    assert value == last[0] == 54
    grad.reverse(tape, dx, dlast)
    assert dx[0] == 54 and dlast[0] == 27 and last[0] == 54


def test_variables_at_namespace_scope() -> None:
    """They hold what the original left; the gradient has what it found."""
    grad = gradient_of("through_variable", "x, state")
    x, dx = np.ones(3), np.ones(3)
    _, tape = grad.forward(1, 3, x)
    assert list(grad.primal.value_of("state")) == list(x) == [1, 4, 9]
    grad.primal.set_value("state", 5.0)
    grad.reverse(tape, dx)
    assert list(dx) == [1, 4, 9] and list(grad.adjoint_of("state")) == [2, 4, 6]
    assert list(grad.primal.value_of("state")) == [5, 5, 5]


def test_what_pointers_in_arguments_lead_to() -> None:
    grad = gradient_of("through_view")
    data, d_data, d_by = ramp(), np.ones(4), np.zeros(4)
    _, tape = grad.forward(1, 4, {"data": data, "by": ramp()})
    assert np.array_equal(data, ramp() ** 3) and tape.nbytes == 32
    grad.reverse(tape, {"data": d_data, "by": d_by})
    assert np.array_equal(d_data, 2 * ramp() ** 2) and np.array_equal(d_by, ramp() ** 2)

    grad = gradient_of("through_rows", "rows")
    rows, d_rows = [ramp(), 2 * ramp()], [np.ones(4), np.ones(4)]
    _, tape = grad.forward(1, 4, rows, 2)
    assert np.array_equal(rows[1], 4 * ramp() ** 2)
    grad.reverse(tape, d_rows)
    assert np.array_equal(d_rows[0], 2 * ramp()) and np.array_equal(d_rows[1], 4 * ramp())


def test_memory_that_is_known_by_an_address_cannot_be_kept() -> None:
    row = ramp()
    table = np.array([row.ctypes.data], np.uint64)
    with pytest.raises(cladpy.LaunchError, match="rows: what it leads to is overwritten and needed by the gradient"):
        gradient_of("through_rows", "rows").forward(1, 4, table, 1)
    grad = gradient_of("through_view")
    view = np.zeros(1, grad.dtype_of("v"))
    view["data"] = view["by"] = row.ctypes.data
    with pytest.raises(cladpy.LaunchError, match=r"v\.data: what it leads to is overwritten"):
        grad.forward(1, 4, view[0])
    assert np.array_equal(row, ramp())


def test_arguments_that_overlap() -> None:
    grad = gradient_of("added", "x, y", may_alias=True)
    whole, d_whole = ramp(6), np.arange(1.0, 7.0)
    with host_order("forward"):
        _, tape = grad.forward(1, 4, whole[:4], whole[2:])
    assert tape.nbytes == 48
    with host_order("forward"):
        grad.reverse(tape, d_whole[:4], d_whole[2:])
    alone, d_alone = ramp(6), np.arange(1.0, 7.0)
    with host_order("forward"):
        grad.execute_kernel(1, 4, alone[:4], alone[2:], d_alone[:4], d_alone[2:])
    assert np.array_equal(d_whole, d_alone) and not np.array_equal(whole, alone)
    with pytest.raises(cladpy.LaunchError, match="x and y share memory"):
        gradient_of("added", "x, y").forward(1, 4, whole[:4], whole[2:])


def test_exact_sums() -> None:
    grad = gradient_of("summed", "x, sum", accumulate="deterministic")
    x, dx, total, d_total = ramp(), np.zeros(4), np.zeros(1), np.ones(1)
    _, tape = grad.forward(1, 4, x, total)
    grad.reverse(tape, dx, d_total)
    assert total[0] == 30 and np.array_equal(dx, 2 * ramp())


def test_several_tapes_at_once() -> None:
    """Each has its own point, in whatever order they are used."""
    grad = gradient_of("in_place", "x, y")
    tapes = [grad.forward(1, 4, k * ramp(), ramp(), np.zeros(4), 4)[1] for k in (1.0, 2.0, 3.0)]
    for k in (1, 0, 2):
        dx, dy = np.zeros(4), np.ones(4)
        grad.reverse(tapes[k], dx, dy)
        assert np.array_equal(dx, 4 * ((k + 1) * ramp()) ** 3 * ramp() ** 2)


def test_a_tape_is_used_once() -> None:
    grad, other = gradient_of("in_place", "x, y"), gradient_of("in_place", "x, y")
    arguments = (ramp(), ramp(), np.zeros(4), 4)
    _, tape = grad.forward(1, 4, *arguments)
    dx, dy = np.zeros(4), np.ones(4)
    with pytest.raises(cladpy.TapeError, match="made by another gradient"):
        other.reverse(tape, dx, dy)
    grad.reverse(tape, dx, dy)
    assert not tape.is_open and tape.nbytes == 0
    with pytest.raises(cladpy.TapeError, match="has been used, or closed"):
        grad.reverse(tape, dx, dy)
    with grad.forward(1, 4, *arguments)[1] as closed:
        assert closed.is_open
    with pytest.raises(cladpy.TapeError, match="has been used, or closed"):
        grad.reverse(closed, dx, dy)
    assert not dy.any()


def test_a_call_that_does_not_fit_leaves_the_tape() -> None:
    grad = gradient_of("in_place", "x, y")
    x, dx, dy = ramp(), np.zeros(4), np.ones(4)
    _, tape = grad.forward(1, 4, x, ramp(), np.zeros(4), 4)
    with pytest.raises(cladpy.LaunchError, match=r"reverse: the gradient takes 2 arguments \(_d_x, _d_y\), got 1"):
        grad.reverse(tape, dx)
    with pytest.raises(cladpy.LaunchError, match="_d_y: expected 4 elements, as y has, got 3"):
        grad.reverse(tape, dx, np.ones(3))
    with pytest.raises(cladpy.LaunchError, match="cotangent: in_place is a kernel"):
        grad.reverse(tape, dx, dy, cotangent=2.0)
    grad.reverse(tape, dx, dy)
    assert np.array_equal(dx, 4 * ramp() ** 5)


def test_calls_of_forward_that_do_not_fit() -> None:
    grad = gradient_of("in_place", "x, y")
    with pytest.raises(cladpy.LaunchError, match="forward: a kernel needs grid and block"):
        grad.forward(1)
    with pytest.raises(cladpy.LaunchError, match=r"forward: the function takes 4 arguments \(x, w, y, n\), got 1"):
        grad.forward(1, 4, ramp())
    with pytest.raises(cladpy.LaunchError, match=r"gridDim\.y must be 1"):
        gradient_of("summed").forward((1, 2), 4, ramp(), np.zeros(1))
    with pytest.raises(cladpy.LaunchError, match="sum_of_squares is not __global__"):
        gradient_of("sum_of_squares").forward(ramp(), 1.0, 4, shared_mem=8)


def test_what_is_kept_is_given_back() -> None:
    grad = gradient_of("in_place", "x, y")
    x = ramp()
    _, tape = grad.forward(1, 4, x, ramp(), np.zeros(4), 4)
    kept, given = weakref.ref(tape._kept[0].owner), weakref.ref(x)  # type: ignore[arg-type]
    del x
    assert kept() is not None
    del tape
    gc.collect()
    assert kept() is None and given() is None


STEPS = """
__global__ void step(double *x, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += rate * x[i] * (1 - x[i]);
}
double run(double *x, double rate, int n, int steps) {
  double *d, sum = 0;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) step<<<1, 32>>>(d, rate, n);
  cudaMemcpy(x, d, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d);
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}
"""


def test_host_functions_are_divided() -> None:
    """The reverse half runs nothing of the forward half again, and works on memory of its own."""
    grad = cladpy.gradient(STEPS, "run", "x, rate", backend="host")
    start = np.linspace(0.1, 0.9, 20)
    expected = [np.ones(20), np.zeros(1)]
    with watching_runtime() as whole:
        grad.execute(start, 0.2, 20, 9, *expected)
    results = start.copy()
    total = grad.primal.execute(results, 0.2, 20, 9)
    x, found = start.copy(), [np.ones(20), np.zeros(1)]
    with watching_runtime() as first:
        value, tape = grad.forward(x, 0.2, 20, 9)
    assert value == total and np.array_equal(x, results)
    x[:] = -1
    with watching_runtime() as then:
        grad.reverse(tape, *found)
    assert all(np.array_equal(f, e) for f, e in zip(found, expected, strict=True)) and (x == -1).all()
    assert first.left > 0 and first.left + then.left == 0
    assert 9 <= then.calls < whole.calls - 9


def test_a_divided_function_whose_tape_is_not_used() -> None:
    grad = cladpy.gradient(STEPS, "run", "x, rate", backend="host")
    for close in (True, False):
        with watching_runtime() as watch:
            _, tape = grad.forward(np.ones(20), 0.2, 20, 3)
        assert watch.left > 0
        allocated = grad._halves.executor._loaded().handle.cladpy_host_allocated  # type: ignore[attr-defined]
        assert allocated() == watch.left
        if close:
            tape.close()
        del tape
        gc.collect()
        assert allocated() == 0


CALLED_AS_HALVES = """
__device__ __host__ double release(double x, int n) { return n == 0 ? x : x * release(x * x, n - 1); }
__global__ void forward(double *x) { x[0] = x[0] * release(x[0], 2); }
double reverse(const double *forward, double *reverse) {
  *reverse = *forward * *forward;
  return *reverse * release(*forward, 1);
}
void run(double *x) { forward<<<1, 1>>>(x); }
"""


def test_programs_that_use_the_names_of_the_halves() -> None:
    """And of what their classes have beside these."""
    x = 1.1
    for function, at, arguments, adjoints, expected in (
        ("forward", (1, 1), [x], [1.0], [8 * x**7]),
        ("run", (), [x], [1.0], [8 * x**7]),
        ("reverse", (), [x, 0.0], [0.0, 0.0], [5 * x**4, 0.0]),
    ):
        gradient = cladpy.gradient(CALLED_AS_HALVES, function, backend="host")
        given = [np.array([v]) for v in arguments]
        found = [np.array([v]) for v in adjoints]
        _, tape = gradient.forward(*at, *given)
        gradient.reverse(tape, *found)
        assert np.allclose([a[0] for a in found], expected, rtol=1e-12), function


def test_the_example() -> None:
    """A network that learns, whose steps run forward long before their cotangents are known."""
    example = Path(__file__).parents[2] / "examples" / "autograd.py"
    assert runpy.run_path(str(example))["main"]() == 0


def programs() -> list[Any]:
    wanted = ("copies-sum_of_squares", "time_loops-by_std_swap")
    return [case for case in CASES if case.id in wanted]


@pytest.mark.parametrize("case", programs(), ids=lambda case: case.id)
def test_a_failure_at_any_call_is_told_and_leaks_nothing(case: Any) -> None:
    """In either half; a new tape works after it, and one that was open when another call failed."""
    grad = cladpy.gradient(str(case.path), case.function, case.args, backend="host")
    names = [p.name for p in grad.derivative.parameters]

    def halves(at: int, fail_in: str = "") -> tuple[int, list[Any]]:
        args = case.arguments()
        adjoints = [np.zeros(np.shape(args[names.index(n.strip())]) or 1) for n in case.args.split(",")]
        with watching_runtime(at if fail_in == "forward" else 0) as first:
            tape = grad.forward(*args)[1]
        with watching_runtime(at if fail_in == "reverse" else 0) as then:
            grad.reverse(tape, *adjoints)
        assert first.left + then.left == 0
        return (first.calls if fail_in == "forward" else then.calls), adjoints

    expected = halves(0)[1]
    args = case.arguments()
    survivor = grad.forward(*args)[1]
    for half in ("forward", "reverse"):
        calls = halves(0, half)[0]
        told = 0
        for call in {1, 2, calls // 2, calls - 1, calls}:
            try:
                found = halves(call, half)[1]
            except cladpy.BackendError:
                told += 1
            else:
                assert all(np.array_equal(f, e) for f, e in zip(found, expected, strict=True))
        assert told
    adjoints = [np.zeros_like(e) for e in expected]
    grad.reverse(survivor, *adjoints)
    assert all(np.array_equal(f, e) for f, e in zip(adjoints, expected, strict=True))
    assert all(np.array_equal(f, e) for f, e in zip(halves(0)[1], expected, strict=True))
