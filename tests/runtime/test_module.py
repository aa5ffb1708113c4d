"""Code for devices alone: what is launched, by a driver on plain memory that keeps what it is asked for."""

from __future__ import annotations

import contextlib
import ctypes
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cladpy.derivative import Derivative
from cladpy.diagnostics import BackendError, LaunchError, ToolchainError
from cladpy.ir.shared import SharedMemory
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime import module
from cladpy.runtime.cuda_driver import Driver
from cladpy.runtime.library import GRADIENT, PRIMAL
from cladpy.runtime.module import ModuleLibrary
from cladpy.runtime.shape import LaunchShape
from cladpy.source import Source
from cladpy.toolchain.entry import device_unit

PLAIN = "__global__ void k(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }"
OF_STATES = """
__device__ double f(double x, int n) { return n == 0 ? x : sin(f(x, n - 1)) * x; }
__global__ void k(const double *x, double *y, int n) { y[threadIdx.x] = f(x[threadIdx.x], n); }
"""
OF_TURNS = """
__global__ void k(double *x, const int *n) {
  double s = x[threadIdx.x];
  for (int i = 0; i < n[threadIdx.x]; ++i) {
    x[i + 32] = s;
    s = sin(s) * x[n[i]];
  }
  x[threadIdx.x] = s;
}
"""
SHARED = """
__global__ void k(const float *x, float *y) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x] * tile[blockDim.x - 1 - threadIdx.x];
}
"""
VARIABLE = """
__device__ double scale[2];
__global__ void k(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * scale[1]; }
"""
DEVICE = "__device__ double f(double x, double y) { return x * y; }"
HOST = "__host__ double f(double x) { return x * x; }"


class Recording(Driver):
    """On plain memory. What a kernel would do is `effects`; the launches are kept with the values of the arguments, of
    which each kernel has as many as `arities` says."""

    def __init__(self) -> None:
        self.launched: list[tuple[str, tuple[int, ...], tuple[int, ...], int]] = []
        self.given: list[list[int]] = []
        self.effects: dict[str, Callable[[list[int]], None]] = {}
        self.arities: dict[str, int] = {}
        self.kernels: list[str] = []
        self.live: dict[int, Any] = {}
        self.allowed: list[tuple[str, int]] = []
        self.room = 1 << 30
        self.fails = 0
        self.stack = 1024
        self.launch_kernel = self._launch

    def _launch(self, kernel: int, *rest: Any) -> int:
        (*grid_and_block, shared_mem, _, given, _) = rest
        name = self.kernels[kernel]
        pointers = given if isinstance(given, int) else ctypes.addressof(given)
        count = self.arities.get(name, 0)
        values = list((ctypes.c_void_p * count).from_address(pointers)) if count else []
        self.launched.append((name, tuple(grid_and_block[:3]), tuple(grid_and_block[3:]), shared_mem))
        self.given.append([v or 0 for v in values])
        self.effects.get(name, lambda _: None)(self.given[-1])
        return self.fails

    def status(self, name: str, *arguments: object) -> int:
        numbers: Any = arguments
        match name:
            case "cuMemsetD8Async":
                ctypes.memset(numbers[0], numbers[1], numbers[2])
            case "cuMemcpyDtoH_v2" | "cuMemcpyHtoD_v2" | "cuMemcpyAsync":
                ctypes.memmove(numbers[0], numbers[1], numbers[2])
            case "cuCtxSynchronize" | "cuStreamSynchronize":
                pass
            case _:
                raise AssertionError(name)
        return 0

    def text(self, status: int) -> str:
        return f"error {status}"

    def current_device(self) -> int:
        return 0

    def load(self, code: bytes) -> int:
        return 1

    def kernel(self, library: int, name: str) -> int:
        self.kernels.append(name)
        return len(self.kernels) - 1

    def variable(self, library: int, name: str) -> int:
        return int(self.live.setdefault(-len(name), np.zeros(16, np.uint8)).ctypes.data)

    def allow_shared(self, kernel: int, size: int) -> None:
        self.allowed.append((self.kernels[kernel], size))

    def resident(self, kernel: int, threads: int, shared_mem: int) -> int:
        return 4

    def deepen_stack(self, wanted: int) -> None:
        self.stack = max(self.stack, wanted)

    def allocate(self, size: int, stream: int) -> int:
        if size > self.room:
            raise module.DriverError("cuMemAllocAsync: out of memory", 2)
        memory = np.zeros(size, np.uint8)
        self.live[memory.ctypes.data] = memory
        return int(memory.ctypes.data)

    def free(self, memory: int, stream: int) -> None:
        del self.live[memory]


def made(tmp_path: Path, text: str, args: str, function: str = "k", **options: Any) -> tuple[Recording, ModuleLibrary]:
    derivative = differentiate(Source.load(text), function, args, Options.make(**options), "cuda")
    driver = Recording()
    return driver, library_of(tmp_path, derivative, driver)


def library_of(tmp_path: Path, derivative: Derivative, driver: Recording) -> ModuleLibrary:
    """Kernels are called what `device_unit` calls them."""
    names = device_unit(derivative).names
    path = tmp_path / "module"
    path.write_bytes(json.dumps({spelled: what for what, spelled in names.items()}).encode() + b"\n")
    return ModuleLibrary(path, names, derivative, driver)


def run(library: ModuleLibrary, count: int, entry: str = GRADIENT, *, shared_mem: int = 0, grid: int = 3) -> list[Any]:
    """With pointers to numbers that begin at 100."""
    cells = [ctypes.c_ulonglong(100 + k) for k in range(count)]
    library.run(entry, LaunchShape((grid, 1, 1), (64, 1, 1), shared_mem), 0, cells)
    return cells


def values(given: list[int]) -> list[int]:
    return [ctypes.c_ulonglong.from_address(address).value for address in given]


def test_a_kernel_is_launched_as_it_is(tmp_path: Path) -> None:
    driver, library = made(tmp_path, PLAIN, "x, y")
    found: list[int] = []
    driver.arities = {"gradient 0": 4}
    driver.effects = {"gradient 0": lambda given: found.extend(values(given))}
    run(library, 4)
    assert driver.launched == [("gradient 0", (3, 1, 1), (64, 1, 1), 0)]
    assert found == [100, 101, 102, 103]
    run(library, 2, PRIMAL)
    assert driver.launched[1:] == [("primal 0", (3, 1, 1), (64, 1, 1), 0)]
    driver.fails = 700
    with pytest.raises(BackendError, match="error 700"):
        run(library, 4)


def test_shared_memory_is_asked_for_and_its_size_passed(tmp_path: Path) -> None:
    driver, library = made(tmp_path, SHARED, "x, y")
    assert library._launching is not None and library._launching.memory.dynamic_adjoint == 1
    driver.arities = {"gradient 0": 5}
    sizes: list[int] = []
    driver.effects = {"gradient 0": lambda given: sizes.append(values(given)[4])}
    run(library, 4, shared_mem=260)
    assert driver.launched[-1][3] == 2 * 272 and sizes == [272]
    assert not driver.allowed
    run(library, 4, shared_mem=30000)
    assert driver.allowed == [("gradient 0", 2 * 30000)]
    run(library, 4, shared_mem=30000)
    assert len(driver.allowed) == 1


def test_what_a_kernel_declares_is_not_launched_with() -> None:
    assert SharedMemory(fixed=1024, dynamic=True).given(100) == 100
    assert SharedMemory(fixed=1024, dynamic=True, dynamic_adjoint=1).given(100) == 2 * 112
    assert SharedMemory(fixed=1024, placed=True, dynamic=True, dynamic_adjoint=2).given(100) == 1024 + 3 * 112
    assert SharedMemory(fixed=1024, placed=True).given(100) == 1124


@contextlib.contextmanager
def counting(driver: Recording, *counts: int) -> Iterator[list[tuple[int, int]]]:
    """The counting kernel finds so many slots; what the gradient's is told of blocks and slots."""
    answers = list(counts)
    told: list[tuple[int, int]] = []

    def count(given: list[int]) -> None:
        at = ctypes.c_void_p.from_address(given[-1 - (len(counts) > 1)]).value
        ctypes.c_ulonglong.from_address(at or 0).value = answers[0]
        if len(counts) > 1:  # a log that was full
            full = ctypes.c_void_p.from_address(given[-1]).value
            ctypes.c_ulonglong.from_address(full or 0).value = answers.pop(1) if len(answers) > 1 else 0

    def gradient(given: list[int]) -> None:
        state = module._State.from_address(given[-1])
        assert state.workspace in driver.live
        told.append((state.blocks, state.slots))

    driver.effects = {"count 0": count, "gradient 0": gradient, "gradient 1": gradient}
    yield told


def test_a_workspace_is_as_large_as_a_count_says(tmp_path: Path) -> None:
    driver, library = made(tmp_path, OF_TURNS, "x")
    launching = library._launching
    assert launching is not None and launching.counting is not None and not launching.counting.by_formula
    state = 1
    driver.arities = {"gradient 0": 3 + state, "count 0": 3 if not launching.counting.with_log else 5}
    with counting(driver, 7, *([1] if launching.counting.with_log else [])) as told:
        run(library, 3, grid=6)
        assert told == [(6, 7)] and not driver.live
        assert driver.launched[-1][1] == ((6, 1, 1) if launching.counting.whole_grid else (4, 1, 1))


def test_recursion_takes_a_deep_stack(tmp_path: Path) -> None:
    driver, library = made(tmp_path, OF_STATES, "x, y")
    run(library, 5)
    assert driver.stack == 16 * 1024


def test_exact_sums(tmp_path: Path) -> None:
    """Rows for each element, which the last kernel adds."""
    text = "__global__ void k(const double *x, double *y) { y[threadIdx.x] = x[0] * x[threadIdx.x]; }"
    driver, library = made(tmp_path, text, "x, y", accumulate="deterministic")
    launching = library._launching
    assert launching is not None and len(launching.sums) == 1
    driver.arities = {"gradient 0": 5, "finish 0": 1}
    buffers: list[tuple[int, int, bool]] = []

    def keep(given: list[int]) -> None:
        buffer = module._Buffer.from_address(given[-1])
        buffers.append((buffer.count, buffer.stride, buffer.rows in driver.live))

    driver.effects = {"gradient 0": keep, "finish 0": keep}
    cells = [ctypes.c_ulonglong(v) for v in (1, 2, 3, 4, 1000)]
    library.run(GRADIENT, LaunchShape((3, 1, 1), (64, 1, 1), 0), 0, cells)
    assert [name for name, *_ in driver.launched] == ["gradient 0", "finish 0"]
    assert driver.launched[1][1:3] == ((4, 1, 1), (256, 1, 1))
    assert buffers == [(1000, 67, True)] * 2 and not driver.live


def test_extents_that_must_be_one(tmp_path: Path) -> None:
    derivative = differentiate(Source.load(PLAIN), "k", "x, y", Options.make(), "cuda")
    assert derivative.launching is not None
    single = replace(derivative.launching, single=("gridDim.x",))
    driver = Recording()
    library = library_of(tmp_path, replace(derivative, launching=single), driver)
    with pytest.raises(LaunchError, match=r"right where these are 1: gridDim\.x"):
        run(library, 4)
    assert not driver.launched


def test_variables(tmp_path: Path) -> None:
    _, library = made(tmp_path, VARIABLE, "x, y, scale")
    content = np.array([2.0, 3.0])
    library.copy_global(0, content, adjoint=False, write=True)
    back = np.zeros(2)
    library.copy_global(0, back, adjoint=False, write=False)
    assert list(back) == [2, 3]


def test_a_variable_without_a_name(tmp_path: Path) -> None:
    """A kernel says where it lies."""
    driver, library = made(tmp_path, VARIABLE, "x, y, scale")
    memory = np.array([5.0, 6.0])
    del library._lowered["adjoint 0"]

    def tell(given: list[int]) -> None:
        to = ctypes.c_void_p.from_address(given[0]).value or 0
        ctypes.c_void_p.from_address(to + 8).value = memory.ctypes.data

    driver.arities, driver.effects = {"addresses 0": 1}, {"addresses 0": tell}
    back = np.zeros(2)
    library.copy_global(0, back, adjoint=True, write=False)
    assert list(back) == [5, 6] and not driver.live


def test_a_device_function_is_run_by_one_thread(tmp_path: Path) -> None:
    driver, library = made(tmp_path, DEVICE, "x, y", "f")
    run(library, 5)
    run(library, 3, PRIMAL)
    assert [(name, grid) for name, grid, *_ in driver.launched] == [("gradient 0", (1, 1, 1)), ("primal 0", (1, 1, 1))]


def test_what_takes_nvcc_is_refused() -> None:
    host = differentiate(Source.load(HOST), "f", "x", Options.make(), "cuda")
    with pytest.raises(ToolchainError, match=r"a function of the host's is compiled by nvcc.*\nhint: .*pip install"):
        device_unit(host)
    traced = differentiate(Source.load(PLAIN), "k", "x, y", Options.make(trace_nonfinite=True), "cuda")
    with pytest.raises(ToolchainError, match="trace_nonfinite is compiled by nvcc"):
        device_unit(traced)
