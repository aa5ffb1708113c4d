"""`may_alias=True`: arguments that are one memory have adjoints that are one memory, and the gradient is that of the
memory; what would be wrong is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import LaunchError
from cladpy.runtime import Gradient
from cladpy.runtime.order import host_order, host_workers

PROGRAM = """
#include <cuda_fp16.h>
#include <math.h>
struct View { const double *from; double *to; double by; };
__global__ void first(const double *a, double *c) { c[0] = c[0] * c[0]; c[1] = a[0]; }
__global__ void steps(const double *a, double *c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] * c[i] + sin(a[n - 1 - i]);
}
__global__ void both(float *a, float *c, int n) {
  for (int i = 0; i < n; ++i) { a[i] *= c[i]; c[i] += a[n - 1 - i] * a[i]; }
}
__global__ void members(View v, int n) {
  for (int i = 0; i < n; ++i) v.to[i] = v.from[i] * v.to[i] * v.by + v.from[0];
}
__global__ void tables(double *const *rows, int n) {
  for (int i = 0; i < n; ++i) rows[1][i] = rows[0][i] * rows[1][i] + rows[0][0];
}
__global__ void narrow(const __half *a, __half *c, int n) {
  for (int i = 0; i < n; ++i) c[i] = __float2half(__half2float(a[i]) * __half2float(c[i]));
}
__global__ void threads(const double *a, double *c, int n) {
  const int t = threadIdx.x;
  const double here = t < n ? a[t] : 0, next = t < n ? a[(t + 1) % n] : 0;
  __syncthreads();
  if (t < n) c[t] = here * next + c[t];
}
__global__ void added(const double *a, double *c, int n) {
  const int t = threadIdx.x;
  const double here = t < n ? a[t] * a[t] : 0;
  __syncthreads();
  if (t < n) atomicAdd(&c[(3 * t) % n], here);
}
__global__ void for_all(const double *a, double *c, int n) {
  if (int(threadIdx.x) < n) c[threadIdx.x] = a[0] * c[threadIdx.x];
}
double on_host(const double *a, double *c, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) { c[i] = a[i] * a[n - 1 - i]; sum += c[i] * a[0]; }
  return sum;
}
void whole(double *x) { first<<<1, 1>>>(x, x); }
void shifted(double *x) { first<<<1, 1>>>(x + 1, x); }
"""
N = 5
Given = Callable[[np.ndarray, np.ndarray], list[Any]]


@pytest.fixture(scope="module")
def gradients() -> dict[str, Gradient]:
    names = {"first": "a, c", "steps": "a, c", "both": "a, c", "members": "v", "tables": "rows", "narrow": "a, c"}
    names |= {"threads": "a, c", "added": "a, c", "for_all": "a, c", "on_host": "a, c", "whole": "x", "shifted": "x"}
    return {
        name: cladpy.gradient(PROGRAM, name, args, backend="host", may_alias=name not in ("whole", "shifted"))
        for name, args in names.items()
    }


def plain(one: np.ndarray, other: np.ndarray) -> list[Any]:
    return [one, other]


def without_numbers(adjoints: list[Any]) -> list[Any]:
    """Of objects, whose numbers beside pointers have adjoints of their own."""
    return [{k: v for k, v in a.items() if k != "by"} if isinstance(a, dict) else a for a in adjoints]


def derivative(run: Callable[[np.ndarray], float], point: np.ndarray) -> np.ndarray:
    """By central differences of a step and its half."""
    found = np.zeros(point.size)
    step = {2: 2.0**-4, 4: 2.0**-7, 8: 2.0**-12}[point.dtype.itemsize]
    for k in range(point.size):
        slopes = []
        for h in (step, step / 2):
            forth, back = point.copy(), point.copy()
            forth[k] += h
            back[k] -= h
            slopes.append((run(forth) - run(back)) / (2 * h))
        found[k] = (4 * slopes[1] - slopes[0]) / 3
    return found


# function, what is passed for two views, of what type, numbers behind these, threads, how far the views may lie apart
CASES: tuple[tuple[str, Given, Any, Sequence[Any], int, Sequence[int]], ...] = (
    ("first", plain, np.float64, (), 1, (0, 1, -1)),
    ("steps", plain, np.float64, (N,), 1, (0, 1, -1, -3)),
    ("both", plain, np.float32, (N,), 1, (0, 2, -1)),
    ("members", lambda a, c: [{"from": a, "to": c, "by": 1.5}], np.float64, (N,), 1, (0, 2, -1)),
    ("tables", lambda a, c: [[a, c]], np.float64, (N,), 1, (0, 1, -2)),
    ("narrow", plain, np.float16, (N,), 1, (0, 1, -1)),
    ("threads", plain, np.float64, (N,), 8, (0,)),
    ("added", plain, np.float64, (N,), 8, (0,)),
    ("for_all", plain, np.float64, (N,), 8, (1,)),
    ("on_host", plain, np.float64, (N,), 0, (0, 2, -1)),
)
ORDERS = ("forward", "reverse", "random", "workers")
BY_WORKERS = ("first", "threads", "for_all")  # those of which they might keep sums, or leave barriers out


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_one_memory(case: Any, gradients: dict[str, Gradient]) -> None:
    name, given, dtype, numbers, threads, shifts = case
    grad, launch = gradients[name], (1, threads) if threads else ()
    primal = grad.primal.execute_kernel if threads else grad.primal.execute
    gradient = grad.execute_kernel if threads else grad.execute
    rng = np.random.default_rng(3)
    for shift in shifts:
        one, other = max(0, -shift), max(0, shift)

        def views(memory: np.ndarray, at: tuple[int, int] = (one, other)) -> list[Any]:
            return given(memory[at[0] : at[0] + N], memory[at[1] : at[1] + N])

        point, weights = rng.uniform(0.5, 1.5, (2, N + abs(shift)))
        point = np.round(point * 256) / 256
        point, weights = point.astype(dtype), weights.astype(np.float32 if dtype == np.float16 else dtype)

        def run(memory: np.ndarray, weights: np.ndarray = weights, views: Any = views) -> float:
            value = primal(*launch, *views(memory), *numbers)
            return float((memory.astype(np.float64) * weights).sum()) + (0.0 if value is None else float(value))

        expected = derivative(run, point)
        for order in ORDERS[: 4 if name in BY_WORKERS else 3]:
            memory, adjoint = point.copy(), weights.copy()
            with host_workers(order == "workers"), host_order("forward" if order == "workers" else order):
                gradient(*launch, *views(memory), *numbers, *without_numbers(views(adjoint)))
            bound = {2: 3e-2, 4: 2e-3, 8: 1e-8}[np.dtype(dtype).itemsize]
            assert np.allclose(adjoint, expected, rtol=bound, atol=bound), (shift, order)
            assert np.array_equal(memory, point)


@pytest.mark.parametrize(("name", "expected"), [("whole", [8.4, 0]), ("shifted", [1.8, 1.1])])
def test_a_program_that_gives_a_kernel_one_memory_twice(
    name: str, expected: list[float], gradients: dict[str, Gradient]
) -> None:
    """Without being asked to."""
    d_x = np.array([0.3, 1.1])
    gradients[name].execute(np.array([3.0, 7.0]), d_x)
    assert np.allclose(d_x, expected, rtol=1e-12)


SHIFTED = """
__global__ void squares(int n, const double *x, double *y) {
  double v = 0;
  if (threadIdx.x < n) v = x[threadIdx.x] * x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n) y[threadIdx.x] = v;
}
void several(int n, const double *x, double *y, double *z) {
  squares<<<1, 32>>>(n, x, y);
  squares<<<1, 32>>>(n, y, z);
  squares<<<1, 32>>>(n, x, z);
}
"""


def test_a_program_whose_arguments_are_parts_of_one_memory() -> None:
    """What it keeps of that is more than one argument's part. Compared with differences."""
    gradient = cladpy.gradient(SHIFTED, "several", backend="host", may_alias=True)
    random = np.random.default_rng(0)
    for starts in ((0, 2, 10), (0, 2, 3), (0, 0, 1), (3, 0, 1), (0, 6, 12), (2, 2, 2)):
        parts = [slice(start, start + N) for start in starts]
        memory, weights = random.uniform(0.5, 1.2, 20), random.uniform(-1, 1, 20)

        def weighed(content: np.ndarray[Any, Any]) -> float:
            gradient.primal.execute(N, *(content[part] for part in parts))  # noqa: B023
            return float(weights @ content)  # noqa: B023

        adjoint, given = weights.copy(), memory.copy()
        gradient.execute(N, *(given[part] for part in parts), *(adjoint[part] for part in parts))
        steps = 1e-6 * np.eye(20)
        np.testing.assert_allclose(
            adjoint, [(weighed(memory + step) - weighed(memory - step)) / 2e-6 for step in steps], atol=1e-7
        )
        assert np.array_equal(given, memory)


def test_one_name_that_is_read_and_added_to() -> None:
    """Threads wait between the two in the gradient as well."""
    _, _, text = PROGRAM.partition("__global__ void added(")
    text = "__global__ void added(" + text.partition("__global__")[0].replace("const double *a, ", "").replace(
        "a[t]", "c[t]"
    )
    grad = cladpy.gradient(text, "added", "c", backend="host")
    c, weights = np.arange(1.0, N + 1), np.array([0.5, -1.0, 2.0, 0.25, 3.0])
    expected = weights + 2 * c * weights[3 * np.arange(N) % N]
    for order in ORDERS[:3]:
        adjoint = weights.copy()
        with host_order(order):
            grad.execute_kernel(1, 8, c.copy(), N, adjoint)
        assert np.allclose(adjoint, expected), order


def test_adjoints_that_are_made(gradients: dict[str, Gradient]) -> None:
    memory, seed = np.array([3.0, 7.0]), np.array([0.0, 1.0])
    found = gradients["first"](1, 1, memory, memory, cotangents={"c": seed})
    assert found["a"] is found["c"] and np.array_equal(found["c"], [6.0, 0.0])
    apart = gradients["first"](1, 1, memory.copy(), memory, cotangents={"c": seed})
    assert np.array_equal(apart["a"], [1.0, 0.0]) and np.array_equal(apart["c"], [0.0, 0.0])
    view = {"from": memory, "to": memory, "by": 2.0}
    found = gradients["members"](1, 1, view, 1, cotangents={"v": {"to": seed}})
    assert np.array_equal(found["v"]["to"], seed) and found["v"]["from"] is found["v"]["to"]


def refused(gradient: Gradient, *values: Any) -> str:
    with pytest.raises(LaunchError) as caught:
        gradient.execute_kernel(1, 1, *values)
    return str(caught.value)


def test_what_would_be_wrong_is_refused(gradients: dict[str, Gradient]) -> None:
    first, memory = gradients["first"], np.arange(1.0, 4.0)
    a, c, adjoint, zeros = memory[1:], memory[:2], np.ones(3), np.zeros(2)
    alike = "a and c share memory, and so must their adjoints, or the gradient would be wrong: "
    hint = "\nhint: make one adjoint for all of that memory, and pass views of it as these arguments are"
    at_one = alike + "_d_a and _d_c must begin at the same element" + hint
    assert refused(first, c, c, zeros, zeros.copy()) == at_one
    assert refused(first, a, c, adjoint[:2], adjoint[1:]) == alike + "_d_c must begin 1 element before _d_a" + hint
    assert refused(first, a, c, zeros, zeros.copy()) == alike + "_d_c must begin 1 element before _d_a" + hint
    first.execute_kernel(1, 1, a, c, adjoint[1:], adjoint[:2])  # as the hint says
    assert refused(first, c, c.copy(), zeros, zeros) == "_d_a and _d_c share memory; an adjoint needs its own"
    assert refused(first, c, c, c, c) == "a and _d_a share memory; an adjoint needs its own"
    found = refused(gradients["members"], {"from": c, "to": c, "by": 1.0}, 2, {"from": zeros, "to": zeros.copy()})
    assert found.startswith("v.from and v.to share memory, and so must their adjoints, ")
    narrow, halves = gradients["narrow"], np.ones(4, np.float16)
    wide = np.zeros(4, np.float32)
    told = refused(narrow, halves, halves[1:], 1, wide, np.ones(3, np.float32))
    assert "_d_c must begin 1 element behind _d_a" in told
    narrow.execute_kernel(1, 1, halves, halves[1:], 1, wide, wide[1:])


def test_a_launch_like_an_earlier_one_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first had arguments that lie apart."""
    monkeypatch.delenv("CLADPY_HOST_FIBERS", raising=False)
    first = cladpy.gradient(PROGRAM, "first", "a, c", backend="host", may_alias=True)
    memory = np.array([3.0, 7.0])
    for _ in range(2):
        first.execute_kernel(1, 1, memory.copy(), memory.copy(), np.zeros(2), np.ones(2))
    assert "so must their adjoints" in refused(first, memory, memory, np.zeros(2), np.zeros(2))
    adjoint = np.array([0.0, 1.0])
    first.execute_kernel(1, 1, memory, memory, adjoint, adjoint)
    assert np.array_equal(adjoint, [6.0, 0.0])


@pytest.mark.parametrize(
    ("options", "text", "hint"),
    [
        (
            {"args": "c"},
            "a and c share memory, and a has no adjoint: what is written through one and read through the other would "
            "be lost",
            "name both arguments among those to differentiate, or pass a copy",
        ),
        (
            {"args": "a, c", "consumed": "c"},
            "c shares memory with a, so that what fresh and consumed promise of it does not hold",
            "leave 'c' out of these",
        ),
        (
            {"args": "a, c", "may_alias": False},
            "a and c share memory, and the gradient takes pointers that may be written to be distinct",
            "pass a copy, make both parameters pointers to const, or differentiate with may_alias=True",
        ),
    ],
)
def test_what_the_request_does_not_allow(options: dict[str, Any], text: str, hint: str) -> None:
    grad = cladpy.gradient(PROGRAM, "first", **{"backend": "host", "may_alias": True} | options)
    memory, adjoint = np.array([3.0, 7.0]), np.zeros(2)
    adjoints = [adjoint] * len(options["args"].split(","))
    assert refused(grad, memory, memory, *adjoints) == f"{text}\nhint: {hint}"
