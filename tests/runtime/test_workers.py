"""Kernels on the host as calls of users run: by workers. `python -m tests.by_workers` takes the whole table."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import BackendError, CladpyError
from cladpy.runtime import rebound
from cladpy.runtime.gradient import Gradient
from cladpy.runtime.order import host_workers
from tests.by_workers import many_workers, wrong_by_workers
from tests.kernels.cases import GRADIENTS
from tests.runtime.tensors import Tensor

# Sums for the grid, the block and single elements, rows of them, staged ones; barriers, shuffles, votes, shared memory
# of all kinds, atomics and tapes; variables.
CHOSEN = (
    "threads-scalar_arguments",
    "uniform-shared_weights",
    "rows-causal",
    "shared-tiled_product",
    "halved_sums-of_squares-of_64",
    "block_rows-soft_rows-of_1_by_50",
    "dynamic_shared-carved",
    "atomics-swapped_sum",
    "warps_in_blocks-layer_norm",
    "variables-read_variables",
    "gathered-space",
    "half_shared-half_exchange",
    "phases-carried",
    "phases-parted",
    "phases-left_early",
    "phases-planes",
    "phases-counted",
)
ROWS = {case.id: case for case in GRADIENTS}

SOURCE = """
__global__ void weighted(int n, float a, const float *x, const float *w, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] * w[0] + w[1] * w[2];
}
__global__ void asserted(int n, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i != 777);
  if (i < n) y[i] = y[i] * y[i];
}
"""
N = 10000


@pytest.mark.parametrize("name", CHOSEN)
def test_gradient(name: str) -> None:
    assert wrong_by_workers(ROWS[name]) == ""


@pytest.fixture(scope="module")
def weighted() -> Gradient:
    return cladpy.gradient("#include <cassert>\n" + SOURCE, "weighted", "a, x, w, y", backend="host")


@pytest.fixture(autouse=True)
def by_workers() -> Iterator[None]:
    with host_workers(True), many_workers():
        yield


def run(gradient: Gradient) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    x, w = rng.normal(size=N).astype("f4"), rng.normal(size=3).astype("f4")
    adjoints = [np.zeros(1, "f4"), np.zeros(N, "f4"), np.zeros(3, "f4"), rng.normal(size=N).astype("f4")]
    gradient.execute_kernel((N + 127) // 128, 128, N, 1.5, x, w, np.zeros(N, "f4"), *adjoints)
    return adjoints


def test_sums_are_the_same_for_any_number_of_workers(weighted: Gradient, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for threads in ("1", "2", "5", "5"):
        monkeypatch.setenv("CLADPY_HOST_THREADS", threads)
        found.append([a.tobytes() for a in run(weighted)])
    assert found[1:] == found[:-1]


def test_sums_are_those_of_closed_form(weighted: Gradient) -> None:
    rng = np.random.default_rng(3)
    x, w = rng.normal(size=N).astype("f4").astype(float), rng.normal(size=3).astype("f4").astype(float)
    c = rng.normal(size=N).astype("f4").astype(float)
    of_a, of_x, of_w, of_y = run(weighted)
    np.testing.assert_allclose(of_a[0], (x * w[0] * c).sum(), rtol=1e-4)
    np.testing.assert_allclose(of_x, 1.5 * w[0] * c, rtol=1e-5)
    np.testing.assert_allclose(of_w, [(1.5 * x * c).sum(), w[2] * c.sum(), w[1] * c.sum()], rtol=1e-4)
    assert not of_y.any()


def test_a_failure_is_told_and_the_next_call_goes_well(weighted: Gradient) -> None:
    asserted = cladpy.gradient("#include <cassert>\n" + SOURCE, "asserted", "y", backend="host")
    y, d_y = np.ones(4096), np.ones(4096)
    with pytest.raises(BackendError, match=r"assertion `i != 777' failed in block \(6, 0, 0\), thread \(9, 0, 0\)"):
        asserted.primal.execute_kernel(32, 128, 4096, y)
    asserted.primal.execute_kernel(6, 128, 4096, y)
    assert (y[:768] == 1).all()
    run(weighted)
    assert d_y.all()


def test_several_threads_of_python(weighted: Gradient) -> None:
    expected = [a.tobytes() for a in run(weighted)]
    found: list[list[bytes]] = []

    def call() -> None:
        with host_workers(True):
            for _ in range(20):
                found.append([a.tobytes() for a in run(weighted)])

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 80


def _in_child(gradient: Gradient, expected: list[bytes]) -> None:
    os._exit(0 if [a.tobytes() for a in run(gradient)] == expected else 1)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_the_child_of_a_fork_has_workers_of_its_own(weighted: Gradient) -> None:
    expected = [a.tobytes() for a in run(weighted)]
    child = multiprocessing.get_context("fork").Process(target=_in_child, args=(weighted, expected))
    child.start()
    child.join(60)
    assert child.exitcode == 0


def test_the_interpreter_ends_with_workers_there() -> None:
    program = (
        "import numpy as np, cladpy\n"
        f"g = cladpy.gradient({'#include <cassert>' + chr(10) + SOURCE!r}, 'weighted', 'a, x, w, y', backend='host')\n"
        "a = [np.zeros(n, 'f4') for n in (10000, 3, 10000, 1, 10000, 3, 10000)]\n"
        "g.execute_kernel(79, 128, 10000, 1.5, *a)\n"
        "print('done')\n"
    )
    environment = {**os.environ, "CLADPY_HOST_FIBERS": "0"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, env=environment, check=False
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


def arrays_of(n: int, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=k).astype("f4") for k in (n, 3, n, 1, n, 3, n)]


def test_a_launch_with_other_arrays_is_what_it_is_alone(weighted: Gradient) -> None:
    """What was checked for a signature is not checked again; what differs is."""
    again = cladpy.gradient("#include <cassert>\n" + SOURCE, "weighted", "a, x, w, y", backend="host")
    for n, a, seed in ((64, 1.5, 1), (64, 2.5, 2), (64, 2, 3), (32, -0.0, 4), (64, 0.0, 5), (32, 1e-3, 6)):
        first, second = arrays_of(n, seed), arrays_of(n, seed)
        again.execute_kernel(2, 32, n, a, *first)
        fresh = cladpy.gradient("#include <cassert>\n" + SOURCE, "weighted", "a, x, w, y", backend="host")
        fresh.execute_kernel(2, 32, n, a, *second)
        assert [x.tobytes() for x in first] == [x.tobytes() for x in second]


@pytest.mark.parametrize("by_words", [True, False])
def test_what_does_not_fit_is_refused_after_what_does(by_words: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where arrays are asked where they lie, since their own memory does not say so in the usual way."""
    assert rebound._READS_WORDS
    monkeypatch.setattr(rebound, "_READS_WORDS", by_words)
    weighted = cladpy.gradient("#include <cassert>\n" + SOURCE, "weighted", "a, x, w, y", backend="host")
    fits = arrays_of(64, 1)
    weighted.execute_kernel(2, 32, 64, 1.5, *fits)
    assert weighted._repeats._kinds

    def refused(position: int, value: object, message: str, grid: object = 2) -> None:
        values: list[object] = [64, 1.5, *fits]
        values[position] = value
        before = [x.tobytes() for x in fits]
        with pytest.raises(CladpyError, match=message):
            weighted.execute_kernel(grid, 32, *values)
        assert [x.tobytes() for x in fits] == before

    read_only = np.zeros(64, "f4")
    read_only.flags.writeable = False
    refused(0, 2**40, "does not fit")
    refused(0, 64.5, "expected an integer")
    refused(1, 1e300, "does not fit")
    refused(2, fits[0].astype("f8"), "float64")
    refused(2, np.zeros(128, "f4")[::2], "contiguous")
    refused(2, fits[0].astype(">f4"), "got one of >f4")
    refused(2, np.frombuffer(b"\0" * 257, "f4", 64, 1), "contiguous")
    refused(6, read_only, "read-only")
    refused(6, np.broadcast_arrays(np.zeros(64, "f4"))[0][::-1], "contiguous")
    refused(6, fits[0], "share memory")
    refused(6, np.zeros(63, "f4"), "expected 64 elements")
    refused(0, 64, "integer", grid=2.0)


def test_a_bound_call_is_made_again(weighted: Gradient) -> None:
    first, second = arrays_of(64, 7), arrays_of(64, 7)
    step = weighted.bind(2, 32, 64, 1.5, *first)
    assert [x.tobytes() for x in first] == [x.tobytes() for x in second]
    for _ in range(3):
        step()
        weighted.execute_kernel(2, 32, 64, 1.5, *second)
    assert [x.tobytes() for x in first] == [x.tobytes() for x in second]
    with pytest.raises(CladpyError, match="share memory"):
        weighted.bind(2, 32, 64, 1.5, *first[:4], first[0], *first[5:])


class Shared:
    """An array of a library that shares its memory by DLPack."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] = (1, 0)) -> None:
        self.array, self.device = array, device

    def __dlpack__(self, **options: object) -> object:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


def test_a_launch_with_other_arrays_by_protocol_is_what_it_is_with_numpy() -> None:
    again = cladpy.gradient("#include <cassert>\n" + SOURCE, "weighted", "a, x, w, y", backend="host")
    for seed in range(4):
        first, second = arrays_of(64, seed), arrays_of(64, seed)
        again.execute_kernel(2, 32, 64, 1.5 + seed, *map(Shared, first))
        ((_, known),) = again._repeats._kinds
        assert [part.kept for part in known._viewed] == [None] * 7
        plain = cladpy.gradient("#include <cassert>\n" + SOURCE, "weighted", "a, x, w, y", backend="host")
        plain.execute_kernel(2, 32, 64, 1.5 + seed, *second)
        assert [x.tobytes() for x in first] == [x.tobytes() for x in second]
    given = [*map(Shared, arrays_of(64, 5))]
    read_only = np.zeros(64, "f4")
    read_only.flags.writeable = False
    for value, message in (
        (read_only, "read-only"),
        (np.zeros(64), "float64"),
        (np.zeros(128, "f4")[::2], "contiguous"),
        (given[0].array, "share memory"),
    ):
        with pytest.raises(CladpyError, match=message):
            again.execute_kernel(2, 32, 64, 1.5, *given[:4], Shared(value), *given[5:])
    for other, message in (("text", "expected an array"), (Shared(given[0].array, (7, 0)), "device type 7")):
        with pytest.raises(CladpyError, match=message):
            again.execute_kernel(2, 32, 64, 1.5, *given[:4], other, *given[5:])


def test_a_launch_with_other_tensors_is_what_it_is_with_arrays() -> None:
    again = cladpy.gradient("#include <cassert>\n" + SOURCE, "weighted", "a, x, w, y", backend="host")
    for seed in range(4):
        first, second = arrays_of(64, seed), arrays_of(64, seed)
        again.execute_kernel(2, 32, 64, 1.5 + seed, *map(Tensor, first))
        assert again._repeats._kinds
        again.execute_kernel(2, 32, 64, 1.5 + seed, *second)
        assert [x.tobytes() for x in first] == [x.tobytes() for x in second]
    fits = [Tensor(a) for a in arrays_of(64, 1)]
    for wrong, message in (
        (Tensor(np.zeros(64)), "float64"),
        (Tensor(np.zeros(128, "f4")[::2]), "contiguous"),
        (Tensor(np.zeros(64, "f4"), is_neg=True), "contiguous"),
        (fits[0], "share memory"),
        (Tensor(np.zeros(63, "f4")), "expected 64 elements"),
    ):
        with pytest.raises(CladpyError, match=message):
            again.execute_kernel(2, 32, 64, 1.5, *fits[:4], wrong, *fits[5:])


OF_OBJECTS = """
struct Scale { float by; double plus; int n; };
__global__ void scaled(Scale s, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n) y[i] = s.by * x[i] * x[i] + s.plus;
}
"""


def test_a_launch_with_other_objects_is_what_it_is_alone() -> None:
    again = cladpy.gradient(OF_OBJECTS, "scaled", "x, y", backend="host")
    dtype = np.dtype([("by", "f4"), ("plus", "f8"), ("n", "i4")], align=True)
    for by, n in ((2.0, 64), (3.0, 64), (-1.0, 30)):
        found = []
        for gradient in (again, cladpy.gradient(OF_OBJECTS, "scaled", "x, y", backend="host")):
            x, y, dx, dy = np.arange(64, dtype="f4"), np.zeros(64, "f4"), np.zeros(64, "f4"), np.ones(64, "f4")
            gradient.execute_kernel(2, 32, np.array((by, 1.0, n), dtype)[()], x, y, dx, dy)
            found.append(dx)
        assert again._repeats._kinds
        np.testing.assert_array_equal(found[0], found[1])
        np.testing.assert_array_equal(found[0], np.where(np.arange(64) < n, 2 * by * np.arange(64), 0).astype("f4"))
    with pytest.raises(CladpyError):
        again.execute_kernel(2, 32, np.zeros(1, "f4"), x, y, dx, dy)


OF_NUMBERS = """
#include <cuda_fp16.h>
__global__ void chosen(const float *x, float *y, bool negate, __half by, int n, const float *more) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (negate ? -1.0f : 1.0f) * __half2float(by) * x[i] * x[i] + (more ? more[i] : 0.0f);
}
"""


def test_a_launch_with_other_numbers_is_what_it_is_alone() -> None:
    """Of all types, and of NumPy's; where one is null all is looked at in each call, since it may be followed."""

    def adjoints() -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(4, "f4"), np.ones(4, "f4")

    again = cladpy.gradient(OF_NUMBERS, "chosen", "x, y", backend="host")
    more = np.zeros(4, "f4")
    again.execute_kernel(1, 32, np.ones(4, "f4"), np.zeros(4, "f4"), True, 1.0, 4, None, *adjoints())
    assert not again._repeats._kinds
    again.execute_kernel(1, 32, np.ones(4, "f4"), np.zeros(4, "f4"), True, 1.0, 4, more, *adjoints())
    ((_, known),) = again._repeats._kinds
    for negate, by, n in ((False, 0.5, 3), (np.bool_(True), np.float32(2), np.int64(4)), (1, 3, 2.0)):
        values = np.arange(1, 5, dtype="f4"), np.zeros(4, "f4"), negate, by, n, more
        d_x, d_y = adjoints()
        assert known.launch((*values, d_x, d_y), None)
        expected = (-2 if negate else 2) * float(by) * values[0] * (np.arange(4) < n)
        np.testing.assert_array_equal(d_x, expected)
    rest = np.ones(4, "f4"), np.zeros(4, "f4")
    for negate, by, n, last in ((2, 1.0, 4, more), (True, 1e6, 4, more), (True, 1.0, 4.5, more), (True, 1, 4, None)):
        assert not known.launch((*rest, negate, by, n, last, *adjoints()), None)
