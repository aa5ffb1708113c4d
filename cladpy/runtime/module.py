"""Device code by itself, as NVRTC makes it, loaded: what the entries and launch functions of a library of nvcc's do, by
the driver's calls. Of the kernels that a launch function may run in the place of a gradient's it runs none."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from numpy.typing import NDArray

from cladpy.derivative import Derivative
from cladpy.diagnostics import BackendError, LaunchError
from cladpy.ir.launching import Counting, Launching
from cladpy.ir.shared import NO_SHARED, SharedMemory, aligned
from cladpy.ir.symbols import FunctionKind
from cladpy.runtime.cuda_driver import OUT_OF_MEMORY, Driver, DriverError, cuda_driver
from cladpy.runtime.library import GRADIENT, LaunchRecord, Library
from cladpy.runtime.shape import LaunchShape
from cladpy.toolchain.nvrtc import load

_DEEP_STACK = 16 * 1024
_LARGEST_FINISH = 4096  # blocks


class _State(ctypes.Structure):
    """`cladpy::launch_state` of <cladpy/support.h>."""

    _fields_: ClassVar[Any] = [
        ("grid", ctypes.c_uint * 3),
        ("workspace", ctypes.c_void_p),
        ("blocks", ctypes.c_ulonglong),
        ("slots", ctypes.c_ulonglong),
        ("staging_at", ctypes.c_uint),
        ("staging", ctypes.c_uint),
        ("of_warps", ctypes.c_bool),
    ]


class _Buffer(ctypes.Structure):
    """`cladpy::exact_buffer` of <cladpy/exact.h>."""

    _fields_: ClassVar[Any] = [
        ("begin", ctypes.c_void_p),
        ("count", ctypes.c_ulonglong),
        ("rows", ctypes.c_void_p),
        ("stride", ctypes.c_ulonglong),
    ]


class _Sums(ctypes.Structure):
    """`cladpy::exact_sums`."""

    _fields_: ClassVar[Any] = [("buffers", _Buffer * 16), ("used", ctypes.c_int)]


_BINS = {"double": 67, "float": 10}  # integers of a row, that of the flags among them


class _Kernel:
    """A kernel, and how much dynamic shared memory it has asked for."""

    def __init__(self, driver: Driver, handle: int, unasked: int) -> None:
        self._driver, self._handle, self._unasked = driver, handle, unasked
        self._allowed: dict[int, int] = {}  # by device
        self._resident: dict[tuple[int, int, int], int] = {}

    def allow(self, size: int) -> None:
        if size > self._unasked:
            device = self._driver.current_device()
            if self._allowed.get(device, -1) < size:
                self._driver.allow_shared(self._handle, size)
                self._allowed[device] = size

    def resident(self, threads: int, shared_mem: int) -> int:
        key = self._driver.current_device(), threads, shared_mem
        if key not in self._resident:
            self._resident[key] = self._driver.resident(self._handle, threads, shared_mem)
        return self._resident[key]

    def launch(self, grid: Sequence[int], block: Sequence[int], shared_mem: int, stream: int, given: Any) -> None:
        """`given` is an array of addresses of arguments, or the address of one."""
        status = self._driver.launch_kernel(self._handle, *grid, *block, shared_mem, stream or None, given, None)
        if status:
            raise DriverError(self._driver.text(status), status)


class ModuleLibrary(Library):
    """The device code of a derivative; see `Library`. What it does is done in the current context."""

    def __init__(self, path: Path, names: dict[str, str], derivative: Derivative, driver: Driver | None = None) -> None:
        """`names` are how C++ spells what `device_unit` names. Raises BackendError where the driver refuses it."""
        self.path = path
        self.lock = threading.Lock()
        self._driver = driver or cuda_driver()
        lowered, code = load(path)
        self._lowered = {what: lowered[name] for what, name in names.items() if name in lowered}
        self._library = self._driver.load(code)
        self._launching = derivative.launching
        self._as_given = self._launching is not None and self._launching.is_plain
        self._single = derivative.kind is FunctionKind.DEVICE
        given = len(derivative.parameters) + len(derivative.adjoints) + len(derivative.member_adjoints)
        self._given = given  # how many arguments the gradient of a kernel has
        self._variables = 2 * len(derivative.globals)
        self._primal_count = len(derivative.parameters)
        memory = NO_SHARED if self._launching is None else self._launching.memory
        count_memory = NO_SHARED
        if self._launching is not None and self._launching.counting is not None:
            count_memory = self._launching.counting.memory
        unasked = dict.fromkeys(("primal", "finish", "addresses"), 0)
        unasked |= {"gradient": _unasked(memory), "count": _unasked(count_memory)}
        self._kernels = {
            what: _Kernel(self._driver, self._driver.kernel(self._library, name), unasked[what.split()[0]])
            for what, name in self._lowered.items()
            if what.split()[0] in unasked
        }

    def run(self, entry: str, shape: LaunchShape, stream: int, arguments: Sequence[Any]) -> None:
        """Calls an entry with pointers to the arguments. Raises BackendError with the text of what went wrong."""
        record = LaunchRecord(shape.grid, shape.block, shape.shared_mem, stream or None)
        pointers = (ctypes.c_void_p * max(1, len(arguments)))(*(ctypes.addressof(a) for a in arguments))
        self.function(entry)(ctypes.addressof(record), ctypes.addressof(pointers))

    def function(self, entry: str) -> Callable[[int, int], int]:
        """What calls an entry, given the address of a `LaunchRecord` and that of pointers to the arguments. It raises
        BackendError where a library's would give another status than 0."""
        gradient = entry == GRADIENT
        launch = self._gradient if gradient and not self._single else self._plain
        kernel = self._kernels["gradient 0" if gradient else "primal 0"]

        def call(record: int, pointers: int) -> int:
            launch(kernel, LaunchRecord.from_address(record), pointers)
            return 0

        return call

    def check(self, status: int) -> None:
        """Raises BackendError for a status that is not 0."""
        if status != 0:
            raise BackendError(self._driver.text(status))

    def wait(self, consumer: int, producer: int) -> None:
        """The consumer stream goes on only after what the producer stream holds now."""
        event = ctypes.c_void_p()
        self._driver.call("cuEventCreate", ctypes.byref(event), 2)  # without times
        try:
            self._driver.call("cuEventRecord", event, producer or None)
            self._driver.call("cuStreamWaitEvent", consumer or None, event, 0)
        finally:
            self._driver.call("cuEventDestroy_v2", event)

    def synchronize(self, stream: int) -> None:
        self._driver.call("cuStreamSynchronize", stream or None)

    def keep(self, memory: int, size: int, stream: int) -> int:
        """A copy of memory of the device's, made on the stream."""
        copy = self._driver.allocate(size, stream)
        try:
            self._driver.call("cuMemcpyAsync", copy, memory, size, stream or None)
        except BackendError:
            self.release(copy, stream)
            raise
        return copy

    def release(self, copy: int, stream: int) -> None:
        """Gives a copy back; after an error of the device nothing else can be said."""
        with suppress(BackendError):
            self._driver.free(copy, stream)

    def copy_global(self, position: int, content: NDArray[Any], *, adjoint: bool, write: bool) -> None:
        """Between the variable at this position of the derivative's, or its adjoint, and `content`."""
        self._driver.call("cuCtxSynchronize")
        name = self._lowered.get(f"{'adjoint' if adjoint else 'variable'} {position}")
        address = self._address(2 * position + adjoint) if name is None else self._driver.variable(self._library, name)
        if write:
            self._driver.call("cuMemcpyHtoD_v2", address, content.ctypes.data, content.nbytes)
        else:
            self._driver.call("cuMemcpyDtoH_v2", content.ctypes.data, address, content.nbytes)

    def _address(self, which: int) -> int:
        """Of a variable that has no name: a managed one, as a kernel finds it."""
        memory = self._driver.allocate(8 * self._variables, 0)
        try:
            at, found = ctypes.c_void_p(memory), ctypes.c_void_p()
            given = _addresses([ctypes.addressof(at)])
            self._kernels["addresses 0"].launch((1, 1, 1), (1, 1, 1), 0, 0, given)
            self.synchronize(0)
            self._driver.call("cuMemcpyDtoH_v2", ctypes.addressof(found), memory + 8 * which, 8)
            return found.value or 0
        finally:
            self._driver.free(memory, 0)

    def _plain(self, kernel: _Kernel, at: LaunchRecord, pointers: int) -> None:
        """As it is launched, or by one thread."""
        if self._single:
            kernel.launch((1, 1, 1), (1, 1, 1), 0, at.stream, pointers)
            return
        kernel.allow(at.shared_mem)
        kernel.launch(at.grid, at.block, at.shared_mem, at.stream, pointers)

    def _gradient(self, _: _Kernel, at: LaunchRecord, pointers: int) -> None:
        """What the launch function does."""
        launching = self._launching
        assert launching is not None
        if self._as_given:
            shared = launching.memory.given(at.shared_mem)
            kernel = self._for_blocks_of(at.block[0] * at.block[1] * at.block[2])
            kernel.allow(shared)
            kernel.launch(at.grid, at.block, shared, at.stream, pointers)
            return
        shape = LaunchShape(tuple(at.grid), tuple(at.block), at.shared_mem)
        if any(shape.extent(name) != 1 for name in launching.single):
            raise LaunchError(f"the gradient is right where these are 1: {', '.join(launching.single)}")
        if launching.recursive:
            self._driver.deepen_stack(_DEEP_STACK)
        given = (ctypes.c_void_p * self._given).from_address(pointers)
        arguments = list(given)
        if not launching.sums:
            self._run(launching, shape, at.stream or 0, arguments)
            return
        with self._sums(launching, at.stream or 0, arguments, pointers) as sums:
            self._run(launching, shape, at.stream or 0, [*arguments, ctypes.addressof(sums)])

    def _for_blocks_of(self, threads: int) -> _Kernel:
        """One that may want many registers is compiled for several sizes of blocks, each the largest of its own."""
        assert self._launching is not None
        larger = self._launching.sizes[:-1]
        return self._kernels[f"gradient {next((k for k, size in enumerate(larger) if threads <= size), len(larger))}"]

    def _run(self, launching: Launching, shape: LaunchShape, stream: int, arguments: list[int]) -> None:
        threads = shape.block[0] * shape.block[1] * shape.block[2]
        kernel = self._for_blocks_of(threads)
        size = ctypes.c_ulonglong(aligned(shape.shared_mem))
        if launching.memory.dynamic_adjoint:
            arguments = [*arguments, ctypes.addressof(size)]
        shared = launching.memory.given(shape.shared_mem)
        kernel.allow(shared)
        if launching.counting is None and not launching.standing:
            kernel.launch(shape.grid, shape.block, shared, stream, _addresses(arguments))
            return
        blocks = shape.grid[0] * shape.grid[1] * shape.grid[2]
        state = _State(shape.grid, None, blocks, 0)
        if launching.counting is not None and launching.counting.whole_grid:
            grid: Sequence[int] = shape.grid
        else:
            grid = (min(blocks, kernel.resident(threads, shared)), 1, 1)
        if launching.counting is None:
            kernel.launch(grid, shape.block, shared, stream, _addresses([*arguments, ctypes.addressof(state)]))
            return
        slots = self._slots(launching.counting, shape, grid, state, stream, arguments)
        with self._workspace(launching.counting, shape, grid, state, stream, slots) as physical:
            kernel.launch(physical, shape.block, shared, stream, _addresses([*arguments, ctypes.addressof(state)]))

    @contextmanager
    def _workspace(
        self, counting: Counting, shape: LaunchShape, grid: Sequence[int], state: _State, stream: int, slots: int
    ) -> Iterator[Sequence[int]]:
        """So many slots for each thread; for as many blocks at a time as there is memory for, where fewer will do."""
        threads = shape.block[0] * shape.block[1] * shape.block[2]
        state.slots = max(slots, 1)
        while True:
            blocks = grid[0] * grid[1] * grid[2]
            try:
                state.workspace = self._driver.allocate(state.slots * counting.slot * threads * blocks, stream)
                break
            except DriverError as error:
                if error.status != OUT_OF_MEMORY or counting.whole_grid or blocks <= 1:
                    raise
                grid = (blocks // 2, 1, 1)
        try:
            yield grid
        finally:
            self._driver.free(state.workspace, stream)

    def _slots(
        self,
        counting: Counting,
        shape: LaunchShape,
        grid: Sequence[int],
        state: _State,
        stream: int,
        arguments: list[int],
    ) -> int:
        """How many slots of tape a thread needs at most."""
        kernel = self._kernels["count 0"]
        primal = arguments[: self._primal_count]
        extents = [(ctypes.c_uint * 3)(*extent) for extent in (shape.grid, shape.block)]
        kernel.allow(shape.shared_mem)
        found = (ctypes.c_ulonglong * 2)()
        counts = self._driver.allocate(ctypes.sizeof(found), stream)
        try:
            at = [ctypes.c_void_p(counts), ctypes.c_void_p(counts + 8)]
            first, second = map(ctypes.addressof, at)

            def fetch(launch: Callable[[], None]) -> None:
                self._driver.call("cuMemsetD8Async", counts, 0, ctypes.sizeof(found), stream or None)
                launch()
                self.synchronize(stream)
                self._driver.call("cuMemcpyDtoH_v2", ctypes.addressof(found), counts, ctypes.sizeof(found))

            if counting.by_formula:
                given = [*map(ctypes.addressof, extents), *primal, first]
                fetch(lambda: kernel.launch((1, 1, 1), (1, 1, 1), 0, stream, _addresses(given)))
            elif not counting.with_log:
                given = [*primal, first]
                fetch(lambda: kernel.launch(shape.grid, shape.block, shape.shared_mem, stream, _addresses(given)))
            else:
                self._with_log(
                    kernel,
                    counting,
                    shape,
                    grid,
                    state,
                    stream,
                    [*primal, ctypes.addressof(state), first, second],
                    found,
                    fetch,
                )
            return found[0]
        finally:
            self._driver.free(counts, stream)

    def _with_log(
        self,
        kernel: _Kernel,
        counting: Counting,
        shape: LaunchShape,
        grid: Sequence[int],
        state: _State,
        stream: int,
        given: list[int],
        found: ctypes.Array[ctypes.c_ulonglong],
        fetch: Callable[[Callable[[], None]], None],
    ) -> None:
        """It stores, and puts that back from a log in the workspace, which is made larger until all finds room."""
        entries = 32
        while True:
            with self._workspace(counting, shape, grid, state, stream, 3 * entries) as physical:
                run = physical, shape.block, shape.shared_mem, stream, _addresses(given)
                fetch(lambda run=run: kernel.launch(*run))  # type: ignore[misc]
            if not found[1]:
                return
            entries *= 4

    @contextmanager
    def _sums(self, launching: Launching, stream: int, arguments: list[int], pointers: int) -> Iterator[_Sums]:
        """Contributions are added as integers, in whatever order, and to the adjoints in the end."""
        sums = _Sums()
        lengths = (ctypes.c_void_p * (self._given + len(launching.sums))).from_address(pointers)
        words = 1
        for buffer, s in zip(sums.buffers, launching.sums, strict=False):
            begin = ctypes.c_void_p.from_address(arguments[s.parameter]).value
            count = s.count
            if s.length is not None:
                count = ctypes.c_ulonglong.from_address(lengths[self._given + s.length] or 0).value
            buffer.begin, buffer.count, buffer.stride = begin, count if begin else 0, _BINS[s.element]
            words += buffer.count * buffer.stride
        sums.used = len(launching.sums)
        rows = self._driver.allocate(8 * words, stream)
        try:
            at = rows
            for buffer in sums.buffers[: sums.used]:
                buffer.rows = at
                at += 8 * buffer.count * buffer.stride
            self._driver.call("cuMemsetD8Async", rows, 0, 8 * words, stream or None)
            yield sums
            for k in range(sums.used):
                buffer = sums.buffers[k]
                blocks = min(max(1, (buffer.count + 255) // 256), _LARGEST_FINISH)
                given = _addresses([ctypes.addressof(buffer)])
                self._kernels[f"finish {k}"].launch((blocks, 1, 1), (256, 1, 1), 0, stream, given)
        finally:
            self._driver.free(rows, stream)


def _unasked(memory: SharedMemory) -> int:
    """How much a launch may give without asking for it."""
    return memory.unasked if memory.launched else 0


def _addresses(arguments: Sequence[int]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * max(1, len(arguments)))(*arguments)
