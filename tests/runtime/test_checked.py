"""`checked=True`: an access beyond an array ends the call, names array, thread and line, and changes nothing."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import BackendError, UsageError
from cladpy.runtime import Gradient

HEADER = """\
__device__ inline double fetch(const double *p, int i) {
  return p[i];
}
"""
PROGRAM = """\
#include "fetch.h"
struct View { double *data; int n; };
__device__ double total;
__global__ void guarded(double *x, const double *w, View v, const double *const *rows, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double local[4] = {1, 2, 3, 4};
  double read = w[i + by];
  double own = v.data[i];
  double row = rows[1][i];
  x[i] *= read * own * row * local[i & 3];
  total += 1;
}
__global__ void shared(double *x, int by) {
  __shared__ double tile[8];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[threadIdx.x + by] * 2;
}
__global__ void through_header(const double *x, double *y, int by) {
  y[threadIdx.x] = fetch(x, threadIdx.x + by) * 3;
}
double summed(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}
"""
N = 8


@pytest.fixture(scope="module")
def gradients(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Gradient]:
    folder = tmp_path_factory.mktemp("checked")
    (folder / "fetch.h").write_text(HEADER)
    (folder / "k.cu").write_text(PROGRAM)
    names = {"guarded": "x, w, v, rows", "shared": "x", "through_header": "x, y", "summed": "x"}
    return {name: cladpy.gradient(folder / "k.cu", name, args, checked=True) for name, args in names.items()}


class Call:
    """A call of `guarded`, with arrays of some lengths."""

    def __init__(self, **changed: int) -> None:
        sizes = {"x": N, "w": N, "v": N, "row": N, "n": N, "by": 0} | changed
        self.x, self.w, self.v = (np.arange(1.0, sizes[name] + 1) for name in ("x", "w", "v"))
        self.rows = [np.ones(N), np.full(sizes["row"], 2.0)]
        self.n, self.by = sizes["n"], sizes["by"]
        self.d_x, self.d_w, self.d_v = np.ones(self.x.size), np.zeros(self.w.size), np.zeros(self.v.size)
        self.d_rows = [np.zeros(N), np.zeros(sizes["row"])]

    def arguments(self) -> list[Any]:
        return [self.x, self.w, {"data": self.v, "n": N}, self.rows, self.n, self.by]

    def adjoints(self) -> list[Any]:
        return [self.d_x, self.d_w, {"data": self.d_v}, self.d_rows]

    def content(self) -> list[bytes]:
        arrays = [self.x, self.w, self.v, *self.rows, self.d_x, self.d_w, self.d_v, *self.d_rows]
        return [a.tobytes() for a in arrays]


LINE = {n: line.strip() for n, line in enumerate(PROGRAM.split("\n"), 1)}
BEYOND: tuple[tuple[dict[str, int], int, str, int, int], ...] = (
    ({"w": N - 1}, 7, "w", N - 1, 8),
    ({"by": 1}, 7, "w", N, 8),
    ({"by": -1}, 0, "w", -1, 8),
    ({"by": 1 << 28}, 0, "w", 1 << 28, 8),
    ({"by": -(1 << 28)}, 0, "w", -(1 << 28), 8),
    ({"v": N - 2}, 6, "v.data", N - 2, 9),
    ({"row": N - 3}, 5, "rows[1]", N - 3, 10),
    ({"x": N - 1}, 7, "x", N - 1, 11),
    ({"w": 1}, 1, "w", 1, 8),
    ({"x": 1000, "w": 900, "v": 1000, "row": 1000, "n": 1000}, 900, "w", 900, 8),
)


@pytest.mark.parametrize(("changed", "thread", "name", "element", "line"), BEYOND)
def test_beyond_an_array(
    changed: dict[str, int], thread: int, name: str, element: int, line: int, gradients: dict[str, Gradient]
) -> None:
    grad = gradients["guarded"]
    for run in ("gradient", "primal", "forward"):
        call = Call(**changed)
        before = call.content()
        grid = -(-call.n // N)
        with pytest.raises(BackendError) as caught:
            if run == "gradient":
                grad.execute_kernel(grid, N, *call.arguments(), *call.adjoints())
            elif run == "primal":
                grad.primal.execute_kernel(grid, N, *call.arguments())
            else:
                grad.forward(grid, N, *call.arguments())
        size = {"w": call.w, "v.data": call.v, "rows[1]": call.rows[1], "x": call.x}[name].size
        block, lane = divmod(thread, N)
        first, excerpt, hint = str(caught.value).split("\n")
        assert first.endswith(
            f"k.cu:{line}: in block ({block}, 0, 0) thread ({lane}, 0, 0), element {element} of '{name}' is used, "
            f"which has {size} elements"
        )
        assert excerpt == f"{line:5} | {LINE[line]}"
        assert hint == "hint: the original does this: guard the index, or pass longer arrays or a smaller grid"
        assert call.content() == before
    assert grad.primal.value_of("total") == 0


def test_what_fits_is_as_without(gradients: dict[str, Gradient]) -> None:
    """The same numbers, and variables that the original changes once."""
    grad = copy.copy(gradients["guarded"])
    assert grad.derivative.options.checked
    plain = cladpy.gradient(PROGRAM.replace('#include "fetch.h"\n', HEADER), "guarded", "x, w, v, rows", backend="host")
    calls = [Call(), Call()]
    for gradient, call in zip((grad, plain), calls, strict=True):
        gradient.execute_kernel(1, N, *call.arguments(), *call.adjoints())
        gradient.primal.execute_kernel(1, N, *call.arguments())
        assert gradient.primal.value_of("total") == N
    assert calls[0].content() == calls[1].content() and calls[0].d_w.all()


def test_outside_of_the_tests(gradients: dict[str, Gradient], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where workers run what nobody watches: calls that look like an earlier one are looked after as well, and
    variables are those of the one library."""
    monkeypatch.delenv("CLADPY_HOST_FIBERS", raising=False)
    grad, x = gradients["through_header"], np.ones(N)
    for by in (0, 0, 1, 1):
        if by:
            with pytest.raises(BackendError, match="element 8 of 'x' is used"):
                grad.execute_kernel(1, N, x, x + 1, by, np.zeros(N), np.ones(N))
            with pytest.raises(BackendError, match="element 8 of 'x' is used"):
                grad.primal.execute_kernel(1, N, x, x + 1, by)
        else:
            grad.execute_kernel(1, N, x, x + 1, by, np.zeros(N), np.ones(N))
            grad.primal.execute_kernel(1, N, x, x + 1, by)
    guarded, call = copy.copy(gradients["guarded"]), Call()
    guarded.primal.execute_kernel(1, N, *call.arguments())
    assert guarded.primal.value_of("total") == N
    before = call.content()
    with pytest.raises(BackendError, match="element 8 of"):
        guarded.execute_kernel(2, N, *call.arguments()[:4], 2 * N, 0, *call.adjoints())
    assert guarded.primal.value_of("total") == N and call.content() == before


def test_arrays_that_are_one(gradients: dict[str, Gradient]) -> None:
    """Views of one array keep their places."""
    memory = np.arange(1.0, 2 * N + 1)
    grad = gradients["guarded"]
    call = Call()
    call.w, call.rows = memory[:N], [np.ones(N), memory[N // 2 : N // 2 + N]]
    grad.execute_kernel(1, N, *call.arguments(), *call.adjoints())
    assert np.array_equal(call.d_w, Call().x * Call().v * call.rows[1] * np.tile([1.0, 2, 3, 4], 2))


@pytest.mark.parametrize("by", [1, -1])
def test_beyond_shared_memory(by: int, gradients: dict[str, Gradient]) -> None:
    x, d_x = np.ones(N), np.ones(N)
    with pytest.raises(
        BackendError, match=r"k\.cu:18: in block .* an index is beyond an array of known length, .*\n *18 \|"
    ):
        gradients["shared"].execute_kernel(1, N, x, by, d_x)
    gradients["shared"].execute_kernel(1, N, x, 0, d_x)
    assert (d_x == 2).all()


def test_in_a_header(gradients: dict[str, Gradient]) -> None:
    """What a header's function does is told with the line of the program that asks for it."""
    with pytest.raises(BackendError, match=r"k\.cu:21: .*element 8 of 'x' .*\n *21 \| y\[threadIdx.x\] = fetch"):
        gradients["through_header"].execute_kernel(1, N, np.ones(N), np.ones(N), 1, np.zeros(N), np.ones(N))


@pytest.mark.parametrize("flags", ["", "-O0"])
def test_the_program_is_the_one_that_was_read(flags: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever effort it is compiled with."""
    monkeypatch.setenv("CLADPY_HOST_FLAGS", flags)
    text = """
#if defined(__OPTIMIZE__) && !defined(__NO_INLINE__)
#define POWER x * x
#else
#define POWER x
#endif
double f(double x) { return POWER * x; }
"""
    grad, d_x = cladpy.gradient(text, "f", checked=True), np.zeros(1)
    grad.execute(3.0, d_x)
    assert (grad.primal.execute(3.0), d_x[0]) == ((9.0, 6.0) if flags else (27.0, 27.0))


def test_in_host_code(gradients: dict[str, Gradient]) -> None:
    summed, d_x = gradients["summed"], np.zeros(N)
    with pytest.raises(BackendError, match=r"k\.cu:26: in host code, element 8 of 'x' is used, which has 8 elements"):
        summed.execute(np.ones(N), N + 1, d_x)
    assert not d_x.any()
    summed.execute(np.ones(N), N, d_x)
    assert (d_x == 2).all() and summed.primal.execute(np.ones(N), N) == N


def test_only_on_the_host(tmp_path: Path) -> None:
    text = PROGRAM.replace('#include "fetch.h"\n', HEADER)
    for backend in ("cuda", "hip"):
        with pytest.raises(UsageError, match="checked runs gradients on the host: backend must be 'host' or 'auto'"):
            cladpy.gradient(text, "shared", backend=backend, checked=True)
    assert cladpy.gradient(text, "shared", checked=True).backend == "host"


LAUNCHING = """\
#include <vector>
__global__ void shift(const double *x, double *y, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + by] * x[i];
}
void staged(const double *x, double *y, int n, int by, int later) {
  double *t;
  cudaMalloc(&t, n * sizeof(double));
  shift<<<(n + 31) / 32, 32>>>(x, t, n, by);
  shift<<<(n + 31) / 32, 32>>>(t, y, n, later);
  cudaFree(t);
}
double listed(const double *x, int n, int by) {
  std::vector<double> v(n);
  for (int i = 0; i < n; ++i) v[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; ++i) s += v[i + by];
  return s;
}
"""


def test_kernels_that_a_host_function_launches(tmp_path: Path) -> None:
    """The caller's arrays and the program's own memory, at both ends, whatever its size."""
    (tmp_path / "p.cu").write_text(LAUNCHING)
    gradient = cladpy.gradient(tmp_path / "p.cu", "staged", "x, y", checked=True)
    x = np.arange(1.0, N + 1)
    for by, later, message in (
        (1, 0, "element 8 of 'x' is used, which has 8 elements"),
        (-1, 0, "element -1 of 'x' is used, which has 8 elements"),
        (0, 1, "byte 64 of a block is used, beyond its end .64 bytes from cudaMalloc"),
        (0, -1, "byte -8 of a block is used, beyond its beginning .64 bytes from cudaMalloc"),
    ):
        dx = np.zeros(N)
        with pytest.raises(BackendError, match=rf"p\.cu:4: in block .* {message}[^\n]*\n *4 \| if \(i < n\) y"):
            gradient.execute(x, np.zeros(N), N, by, later, dx, np.ones(N))
        assert not dx.any()
    dx = np.zeros(N)
    gradient.execute(x, np.zeros(N), N, 0, 0, dx, np.ones(N))
    np.testing.assert_allclose(dx, 4 * x**3)


def test_containers_of_host_code(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(LAUNCHING)
    gradient = cladpy.gradient(tmp_path / "p.cu", "listed", "x", checked=True)
    for by in (1, -1):
        with pytest.raises(BackendError, match=r"p\.cu:17: in host code, an index is beyond .* a container's end"):
            gradient.execute(np.ones(N), N, by, np.zeros(N))
    dx = np.zeros(N)
    gradient.execute(np.ones(N), N, 0, dx)
    assert dx.tolist() == [2] * N
