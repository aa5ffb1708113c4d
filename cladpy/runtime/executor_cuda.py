"""Runs on a CUDA device, in its primary context: device arrays in place, NumPy arrays through copies."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError, BackendError, LaunchError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Type
from cladpy.runtime.arguments import Argument
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Block, Place
from cladpy.runtime.devices import architecture, current_device, driver, primary_context, shared_limit
from cladpy.runtime.executor import Passed, Realigned, Result, call_on_host, declaring, value_of
from cladpy.runtime.library import Library, build_library
from cladpy.runtime.shape import LaunchShape
from cladpy.runtime.structs import dtype_of

_CONTEXT, _ORDINAL = 1, 9  # CU_POINTER_ATTRIBUTE_...


class CudaExecutor:
    """One library per architecture; on a device nothing but variables at namespace scope is kept between calls."""

    def __init__(self, derivative: Derivative) -> None:
        """Raises BackendError where PyCUDA or the driver cannot be used."""
        driver()
        self._derivative = derivative
        self._libraries: dict[str, Library] = {}
        # A host function is run by the host, which gets pointers as they are.
        self._by_host = derivative.kind in (FunctionKind.HOST, FunctionKind.HOST_DEVICE)

    @property
    def on_host(self) -> bool:
        """See `Executor`."""
        return self._by_host

    def run(
        self,
        entry: str,
        shape: LaunchShape,
        stream: object,
        arguments: Sequence[Argument],
        extra: Sequence[Block] = (),
        result: Type | None = None,
    ) -> Result:
        """Enqueues on the stream; waits for the result only where NumPy arrays or a returned value are involved.

        Raises ArgumentTypeError where an array is in another context or on another device, BackendError for errors of
        the device.
        """
        handle = stream_handle(stream)
        device = _device_of(arguments)
        with primary_context(device) as context:
            library = self._library(device)
            for place, array in _device_arrays(arguments):
                _check_context(place, array, context, device)
                self._order(library, handle, array)
            if self._by_host:
                return self._call_host(library, entry, shape, handle, arguments, extra, result)
            return _call_device(library, entry, shape, handle, arguments, extra, result)

    def shared_limit(self, arguments: Sequence[Argument]) -> int:
        """See `Executor`."""
        return shared_limit(_device_of(arguments))

    def copy_global(self, position: int, content: NDArray[Any], *, adjoint: bool, write: bool) -> None:
        """See `Executor`; on the current device, once all its streams are done."""
        device = current_device()
        with primary_context(device):
            library = self._library(device)
            with library.lock:
                library.copy_global(position, content, adjoint=adjoint, write=write)

    def _library(self, device: int) -> Library:
        arch = architecture(device)
        if arch not in self._libraries:
            library = build_library(self._derivative, arch)
            library.handle.cladpy_wait.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
            library.handle.cladpy_synchronize.argtypes = [ctypes.c_void_p]
            self._libraries[arch] = library
        return self._libraries[arch]

    def _call_host(
        self,
        library: Library,
        entry: str,
        shape: LaunchShape,
        handle: int,
        arguments: Sequence[Argument],
        extra: Sequence[Block],
        result: Type | None,
    ) -> Result:
        """The host runs the function; NumPy arrays that it passes to kernels are on the device for the time of the
        call."""
        cuda = driver()
        on_host, on_device = Realigned(), _Copies(cuda)
        names = {p.name for i, p in enumerate(self._derivative.parameters) if i in self._derivative.given_to_kernels}
        names |= {f"_d_{name}" for name in names}

        def address(place: Place) -> int:
            whole = re.split(r"[.\[]", place.name, maxsplit=1)[0]
            return on_device.address(place) if whole in names else on_host.address(place)

        def call(values: Sequence[Passed]) -> None:
            with library.lock:
                library.run(entry, shape, handle, values)

        try:
            told = declaring(library, address) if self._derivative.is_program else address
            found = call_on_host(call, arguments, extra, result, on_host, told)
            if on_device.made:
                cuda.Context.synchronize()
                on_device.bring_back()
        except cuda.Error as error:
            raise BackendError(str(error)) from None
        return found

    @staticmethod
    def _order(library: Library, handle: int, array: ArrayView) -> None:
        """Our stream goes on after what made the array, if that is on another stream."""
        if array.stream is not None and _legacy(array.stream) != _legacy(handle):
            library.check(library.handle.cladpy_wait(handle or None, array.stream or None))


def _legacy(stream: int) -> int:
    """0 and CUDA's handle 1 are the same stream."""
    return 0 if stream == 1 else stream


def _call_device(
    library: Library,
    entry: str,
    shape: LaunchShape,
    handle: int,
    arguments: Sequence[Argument],
    extra: Sequence[Block],
    result: Type | None,
) -> Result:
    cuda = driver()
    try:
        copies = _Copies(cuda)
        values: list[Passed] = [a.block.fill(copies.address) for a in arguments]
        values += [block.fill(copies.address) for block in extra]
        memory = None
        if result is not None:
            returned = np.zeros(1, dtype_of(result))
            memory = cuda.mem_alloc(returned.nbytes)
            values.append(ctypes.c_void_p(int(memory)))
        if copies.made:
            cuda.Context.synchronize()  # copies from pageable memory may still be under way
        with library.lock:
            library.run(entry, shape, handle, values)
        if copies.made or memory is not None:
            library.check(library.handle.cladpy_synchronize(handle or None))
            copies.bring_back()
        if memory is None:
            return None
        cuda.memcpy_dtoh(returned.view(np.uint8), memory)
        return value_of(returned, result)
    except cuda.Error as error:
        raise BackendError(str(error)) from None


class _Copies:
    """NumPy arrays and tables of pointers on the device for the time of a call; arrays that are one on the host are
    one there."""

    def __init__(self, cuda: Any) -> None:
        self._cuda = cuda
        self._made: dict[tuple[int, int], tuple[Any, ArrayView]] = {}
        self._tables: list[Any] = []
        self._written: set[tuple[int, int]] = set()

    @property
    def made(self) -> bool:
        return bool(self._made or self._tables)

    def address(self, place: Place) -> int:
        target = place.target
        if isinstance(target, Block):
            target.fill(self.address)
            memory = self._cuda.mem_alloc(target.nbytes)
            self._cuda.memcpy_htod(memory, target.data)
            self._tables.append(memory)
            return int(memory)
        if not target.on_host:
            return target.pointer
        if target.nbytes == 0:
            return 0
        key = (target.pointer, target.nbytes)
        if key not in self._made:
            memory = self._cuda.mem_alloc(target.nbytes)
            self._cuda.memcpy_htod(memory, target.as_numpy())
            self._made[key] = (memory, target)
        if place.written:
            self._written.add(key)
        return int(self._made[key][0])

    def bring_back(self) -> None:
        for key in self._written:
            memory, array = self._made[key]
            self._cuda.memcpy_dtoh(array.as_numpy(), memory)


def _device_arrays(arguments: Sequence[Argument]) -> Iterator[tuple[Place, ArrayView]]:
    for argument in arguments:
        for place, array in argument.block.arrays():
            if not array.on_host:
                yield place, array


def _device_of(arguments: Sequence[Argument]) -> int:
    """The device that all device arrays are on, else the current one."""
    found: dict[int, str] = {}
    for place, array in _device_arrays(arguments):
        device = array.device
        if device == -1:
            device = _pointer_attribute(array.pointer, _ORDINAL, ctypes.c_int)
        if device is not None:
            found.setdefault(device, place.name)
    if len(found) > 1:
        places = ", ".join(f"{name} on device {device}" for device, name in found.items())
        raise LaunchError(f"the arrays are on different devices: {places}")
    return next(iter(found), current_device() if not found else 0)


def _check_context(place: Place, array: ArrayView, context: Any, device: int) -> None:
    """Memory of another context cannot be reached. (Memory of a pool belongs to none.)"""
    if not array.nbytes:
        return
    if array.pointer % place.alignment:
        raise LaunchError(f"{place.name}: the array's address must be a multiple of {place.alignment}")
    owner = _pointer_attribute(array.pointer, _CONTEXT, ctypes.c_void_p)
    if owner and owner != int(context.handle):
        raise ArgumentTypeError(
            f"{place.name}: the array belongs to another CUDA context than the primary one of device {device}\n"
            "hint: use pycuda.autoprimaryctx instead of pycuda.autoinit"
        )


@cache
def _cuda_library() -> ctypes.CDLL:
    return ctypes.CDLL("libcuda.so.1")


def _pointer_attribute(pointer: int, attribute: int, kind: type[ctypes._SimpleCData[Any]]) -> int | None:
    """cuPointerGetAttribute; None where the driver does not know the pointer, or has no answer."""
    value = kind()
    function = _cuda_library().cuPointerGetAttribute
    function.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_ulonglong]
    status = function(ctypes.byref(value), attribute, pointer)
    return value.value if status == 0 else None


def stream_handle(stream: object) -> int:
    """The handle of a stream: an int, or a stream of PyCUDA, CuPy, PyTorch or with __cuda_stream__; None is 0.

    Raises ArgumentTypeError for anything else.
    """
    if stream is None:
        return 0
    if isinstance(stream, int) and not isinstance(stream, bool):
        if stream < 0:
            raise ArgumentTypeError(f"stream: {stream} is not a handle")
        return stream
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        answer = protocol() if callable(protocol) else protocol
        return int(answer[1])
    for attribute in ("handle", "ptr", "cuda_stream"):
        handle = getattr(stream, attribute, None)
        if isinstance(handle, int):
            return handle
    raise ArgumentTypeError(f"stream: expected a stream or its handle, got an object of type {type(stream).__name__}")
