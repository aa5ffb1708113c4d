"""Where benchmarks run: memory of the host, or of a GPU through `timer.cu`; calls there, and their times."""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cladpy.diagnostics import BackendError
from cladpy.runtime.library import LaunchRecord
from cladpy.runtime.shape import LaunchShape

HERE = Path(__file__).resolve().parent
Pack = Any  # a ctypes array of pointers to arguments


@dataclass(frozen=True, slots=True)
class Called:
    """A function of a loaded library, `int (const launch *, void **)`, and how to call it."""

    function: Any
    shape: LaunchShape
    before: Callable[[int], None] = lambda position: None  # what a call with this set of arguments needs
    library: ctypes.CDLL | None = None  # cladpy's
    configured: ctypes.CDLL | None = None  # on the host: where the order of threads is said

    @property
    def record(self) -> LaunchRecord:
        return LaunchRecord(self.shape.grid, self.shape.block, self.shape.shared_mem, None)


@dataclass(frozen=True, slots=True)
class Times:
    seconds: float  # median, per call
    spread: float  # relative, of the middle half
    enqueuing: float  # seconds of the host per call
    calls: int


class Memory(Protocol):
    on_host: bool

    def allocate(self, nbytes: int) -> int: ...
    def free_all(self) -> None: ...
    def write(self, address: int, content: NDArray[Any]) -> None: ...
    def read(self, address: int, like: NDArray[Any]) -> NDArray[Any]: ...
    def copy(self, to: int, origin: int, nbytes: int) -> None: ...
    def synchronize(self) -> None: ...
    def pool_peak(self) -> int: ...
    def time(
        self, called: Called, packs: Sequence[Pack], state: tuple[int, int, int], windows: int, seconds: float
    ) -> Times: ...
    def difference(self, a: int, b: int, like: NDArray[Any]) -> tuple[float, float]: ...


def norms(a: NDArray[Any], b: NDArray[Any]) -> tuple[float, float]:
    """How far `a` is from `b`, in units of the norm of `b` and of its largest element. NaN is infinitely far."""
    a, b = a.astype(float).ravel(), b.astype(float).ravel()
    apart = np.where(a == b, 0.0, np.abs(a - b))
    apart[np.isnan(apart)] = np.inf
    return relative(
        float((b**2).sum()), float((apart**2).sum()), float(np.abs(b).max(initial=0)), float(apart.max(initial=0))
    )


def relative(squares: float, wrong: float, largest: float, apart: float) -> tuple[float, float]:
    if apart == 0.0:
        return 0.0, 0.0
    if squares == 0.0:
        return float("inf"), float("inf")
    return (wrong / squares) ** 0.5, apart / largest


def check(status: int) -> None:
    if status:
        raise BackendError(f"the call returned error {status}")


class HostMemory:
    """Memory of NumPy's; times are those of a clock."""

    on_host = True

    def __init__(self, order: int = 0) -> None:
        """`order` is that of threads and blocks: forward, reverse or random."""
        self.order = order
        self._blocks: dict[int, NDArray[Any]] = {}

    def allocate(self, nbytes: int) -> int:
        block = np.zeros(nbytes + 256, np.uint8)
        address = -(-block.ctypes.data // 256) * 256
        self._blocks[address] = block
        return address

    def free_all(self) -> None:
        self._blocks.clear()

    def write(self, address: int, content: NDArray[Any]) -> None:
        ctypes.memmove(address, np.ascontiguousarray(content).ctypes.data, content.nbytes)

    def read(self, address: int, like: NDArray[Any]) -> NDArray[Any]:
        found = np.empty_like(like)
        ctypes.memmove(found.ctypes.data, address, like.nbytes)
        return found

    def copy(self, to: int, origin: int, nbytes: int) -> None:
        ctypes.memmove(to, origin, nbytes)

    def synchronize(self) -> None:
        """Everything is done on return."""

    def pool_peak(self) -> int:
        return 0

    def time(
        self, called: Called, packs: Sequence[Pack], state: tuple[int, int, int], windows: int, seconds: float
    ) -> Times:
        record, taken = called.record, []
        for _ in range(windows):
            self.copy(*state)
            start = time.perf_counter()
            for position, pack in enumerate(packs):
                called.before(position)
                check(called.function(ctypes.byref(record), pack))
            taken.append((time.perf_counter() - start) / len(packs))
            if sum(taken) * len(packs) > seconds:
                break
        return Times(statistics.median(taken), 0.0, 0.0, len(taken) * len(packs))

    def difference(self, a: int, b: int, like: NDArray[Any]) -> tuple[float, float]:
        return norms(self.read(a, like), self.read(b, like))


def compiled_timer() -> Path:
    """The library of timer.cu for the GPU that is there."""
    from benchmarks.build import architecture
    from cladpy.toolchain import compile_cuda

    return compile_cuda((HERE / "timer.cu").read_text(encoding="utf-8"), arch=architecture() or None)


class DeviceMemory:
    """Memory of the first GPU, in its primary context; times are those between CUDA events."""

    on_host = False

    def __init__(self) -> None:
        library = ctypes.CDLL(str(compiled_timer()))
        self._library, self._allocated = library, []
        library.bench_error.restype = ctypes.c_char_p
        pointer, size = ctypes.c_void_p, ctypes.c_ulonglong
        library.bench_allocate.argtypes = [pointer, size]
        library.bench_free.argtypes = [pointer]
        for name in ("write", "read", "copy"):
            getattr(library, f"bench_{name}").argtypes = [pointer, pointer, size]
        library.bench_time.argtypes = [
            *(pointer, pointer, pointer, ctypes.c_int, ctypes.c_int),
            *(pointer, pointer, size, ctypes.c_double, pointer, pointer),
        ]
        library.bench_difference.argtypes = [pointer, pointer, size, ctypes.c_int, pointer]
        name, major, minor = ctypes.create_string_buffer(256), ctypes.c_int(), ctypes.c_int()
        self._check(library.bench_device(name, 256, ctypes.byref(major), ctypes.byref(minor)))
        self.name, self.arch = name.value.decode(), f"sm_{major.value}{minor.value}"
        self._check(library.bench_keep_pool())

    def _check(self, status: int) -> None:
        if status:
            raise BackendError(self._library.bench_error(status).decode())

    def allocate(self, nbytes: int) -> int:
        memory = ctypes.c_void_p()
        self._check(self._library.bench_allocate(ctypes.byref(memory), max(nbytes, 1)))
        self._allocated.append(memory.value)
        return int(memory.value or 0)

    def free_all(self) -> None:
        while self._allocated:
            self._check(self._library.bench_free(self._allocated.pop()))

    def write(self, address: int, content: NDArray[Any]) -> None:
        content = np.ascontiguousarray(content)
        self._check(self._library.bench_write(address, content.ctypes.data, content.nbytes))

    def read(self, address: int, like: NDArray[Any]) -> NDArray[Any]:
        found = np.empty_like(like)
        self._check(self._library.bench_read(found.ctypes.data, address, like.nbytes))
        return found

    def copy(self, to: int, origin: int, nbytes: int) -> None:
        self._check(self._library.bench_copy(to, origin, nbytes))

    def synchronize(self) -> None:
        self._check(self._library.bench_synchronize())

    def pool_peak(self) -> int:
        """The most memory that was allocated on streams since the last call of this."""
        found = ctypes.c_ulonglong()
        self._check(self._library.bench_pool_peak(ctypes.byref(found)))
        return found.value

    def time(
        self, called: Called, packs: Sequence[Pack], state: tuple[int, int, int], windows: int, seconds: float
    ) -> Times:
        """At most `windows` windows, fewer where they would take more than `seconds`, at least three."""
        record = called.record
        table = (ctypes.c_void_p * len(packs))(*(ctypes.addressof(p) for p in packs))
        for position in range(len(packs)):
            called.before(position)

        def run(count: int, waiting: float, used: int = len(packs)) -> tuple[list[float], list[float]]:
            times, host = (ctypes.c_float * count)(), (ctypes.c_float * count)()
            self._check(
                self._library.bench_time(
                    ctypes.cast(called.function, ctypes.c_void_p),
                    *(ctypes.addressof(record), ctypes.addressof(table), used, count, *state),
                    *(waiting, ctypes.addressof(times), ctypes.addressof(host)),
                )
            )
            return list(times), list(host)

        run(1, 0.0, 1)  # the first call loads the kernels
        start = time.perf_counter()
        run(1, 0.0, 1)
        each = time.perf_counter() - start
        used = max(1, min(len(packs), int(seconds / 3 / each)))  # few of the sets where calls are slow
        start = time.perf_counter()
        _, host = run(1, 0.0, used)
        window = time.perf_counter() - start
        enqueuing = host[0] * 1e-3
        count = max(3, min(windows, int(seconds / window)))
        times, _ = run(count, min(1.5e9 * enqueuing * used + 2e4, 3e7), used)
        times.sort()
        low, high = times[len(times) // 4], times[-1 - len(times) // 4]
        median = statistics.median(times)
        return Times(median * 1e-3, (high - low) / median, enqueuing, count * used)

    def difference(self, a: int, b: int, like: NDArray[Any]) -> tuple[float, float]:
        found = (ctypes.c_double * 4)()
        self._check(self._library.bench_difference(a, b, like.size, like.dtype == np.float64, ctypes.addressof(found)))
        return relative(*found)
