"""Runs on a GPU, of CUDA or of HIP: device arrays in place, NumPy arrays through copies."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, SupportsInt

import numpy as np
from numpy.typing import NDArray

from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError, BackendError, LaunchError
from cladpy.ir.symbols import FunctionKind
from cladpy.runtime.arguments import Argument
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Block, Place
from cladpy.runtime.built import build_library
from cladpy.runtime.device_api import DeviceApi
from cladpy.runtime.direct import Direct
from cladpy.runtime.executor import (
    Passed,
    Realigned,
    Result,
    Run,
    call_on_host,
    declaring,
    drop_tape,
    in_place,
    plainly,
    value_of,
)
from cladpy.runtime.library import GRADIENT, Library, ProgramReport
from cladpy.runtime.nonfinite import telling
from cladpy.runtime.overlaps import Shared
from cladpy.runtime.rebound import Rebound, is_tensor, possible
from cladpy.runtime.streams import stream_handle
from cladpy.runtime.structs import dtype_of


class DeviceExecutor:
    """One library per architecture; on a device nothing but variables at namespace scope is kept between calls."""

    def __init__(self, derivative: Derivative, api: DeviceApi) -> None:
        self._derivative = derivative
        self._api = api
        self._libraries: dict[str, Library] = {}
        self._report: ProgramReport | None = None
        # A host function is run by the host, which gets pointers as they are.
        self._by_host = derivative.kind in (FunctionKind.HOST, FunctionKind.HOST_DEVICE)

    @property
    def on_host(self) -> bool:
        """See `Executor`."""
        return self._by_host

    def run(self, run: Run) -> Result:
        """Enqueues on the stream; waits for the result only where NumPy arrays or a returned value are involved.

        Raises ArgumentTypeError where an array is in another context or on another device, BackendError for errors of
        the device.
        """
        handle = _legacy(stream_handle(run.stream))
        device = self._device_of(run.arguments)
        with self._api.active(device):
            library = self._library(device)
            self._look_at(library, device, handle, run.arguments)
            return (self._call_host if self._by_host else self._call_device)(library, run, handle)

    def repeated(self, run: Run) -> Rebound | None:
        """See `Executor`: a kernel. Not where arrays are copied, where bytes of the host are, or where our stream waits
        for another."""
        handle = _legacy(stream_handle(run.stream))
        blocks = run.blocks
        places = [place for block in blocks for place in block.places]
        views = [place.target for place in places if isinstance(place.target, ArrayView)]
        waits = any(v.stream is not None and _legacy(v.stream) != handle for v in views)
        there = len(views) == len(places) and not any(v.on_host for v in views)
        kernel = self._derivative.kind is FunctionKind.KERNEL
        if not kernel or self._by_host or waits or not there or self._derivative.options.trace_nonfinite:
            return None
        if not views or not possible(run.arguments):
            return None
        number = self._device_of(run.arguments)
        tensor = next((v.owner for v in views if is_tensor(v.owner)), None)
        others = any(v.stream is not None and not is_tensor(v.owner) for v in views)
        return Rebound(
            self._library(number),
            run.entry,
            run.shape,
            run.arguments,
            run.extra,
            apart=run.entry == GRADIENT,
            stream=_Stream(handle, tensor, others or tensor is None).handle_of,
            device=self._api.repeating(number),
        )

    def keep(self, arguments: Sequence[Argument], ranges: Sequence[tuple[int, int]], stream: object) -> list[int]:
        """See `Executor`."""
        handle = _legacy(stream_handle(stream))
        device = self._device_of(arguments)
        with self._api.active(device):
            library = self._library(device)
            self._look_at(library, device, handle, arguments)
            copies: list[int] = []
            try:
                for address, size in ranges:
                    copies.append(library.keep(address, size, handle))
                if copies and self._by_host:  # host code may be at the memory before a stream is
                    library.synchronize(handle)
            except BackendError:
                _release(library, copies, handle)
                raise
            return copies

    def release(self, arguments: Sequence[Argument], copies: Sequence[int], stream: object) -> None:
        """See `Executor`."""
        if copies:
            device = self._device_of(arguments)
            with self._api.active(device):
                if self._by_host:  # on whatever streams
                    with suppress(BackendError):
                        self._api.synchronize()
                _release(self._library(device), copies, _legacy(stream_handle(stream)))

    def stays(self, arguments: Sequence[Argument]) -> bool:
        """See `Executor`."""
        names = self._names_for_kernels()
        moved = any(array.on_host and _is_given(p, names) for a in arguments for p, array in a.block.arrays())
        return in_place(arguments) and not moved

    def directly(self, entry: str, device: int) -> Direct:
        """See `Executor`."""
        active = partial(self._api.active, device)
        return Direct(self._derivative, entry, partial(self._library, device), active)

    def drop(self, arguments: Sequence[Argument], tape: int) -> None:
        """See `Executor`."""
        device = self._device_of(arguments)
        with self._api.active(device):
            drop_tape(self._library(device), tape)

    def follow(self, arguments: Sequence[Argument], stream: object, earlier: object) -> None:
        """See `Executor`."""
        first, then = _legacy(stream_handle(earlier)), _legacy(stream_handle(stream))
        if first != then:
            device = self._device_of(arguments)
            with self._api.active(device):
                library = self._library(device)
                library.wait(then, first)

    def _look_at(self, library: Library, device: int, handle: int, arguments: Sequence[Argument]) -> None:
        """Checks the arrays; our stream goes on after what made them."""
        for place in (p for a in arguments for p in a.block.all_places() if p.vector is not None):
            if not _is_standard(place):
                raise LaunchError(
                    f"{place.name}: a vector of Thrust's, which is passed to a GPU by programs in C++ only\n"
                    "hint: call the gradient from C++, pass device memory by a pointer, or use backend='host'"
                )
        for place, array in _device_arrays(arguments):
            if array.nbytes:
                _check_address(place, array)
                self._api.check(place, array, device)
            self._order(library, handle, array)

    def report(self) -> ProgramReport | None:
        """See `Executor`."""
        return self._report

    def shared_limit(self, arguments: Sequence[Argument]) -> int:
        """See `Executor`."""
        return self._api.shared_limit(self._device_of(arguments))

    def copy_global(self, position: int, content: NDArray[Any], *, adjoint: bool, write: bool) -> None:
        """See `Executor`; on the current device, once all its streams are done."""
        device = self._api.current_device()
        with self._api.active(device):
            library = self._library(device)
            with library.lock:
                library.copy_global(position, content, adjoint=adjoint, write=write)

    def _library(self, device: int) -> Library:
        arch = self._api.architecture(device)
        if arch not in self._libraries:
            self._libraries[arch] = build_library(self._derivative, arch)
        return self._libraries[arch]

    def _device_of(self, arguments: Sequence[Argument]) -> int:
        """The device that all device arrays are on, else the current one."""
        found: dict[int, str] = {}
        for place, array in _device_arrays(arguments):
            device = array.device
            if device == -1:
                device = self._api.device_of(array.pointer)
            if device is not None:
                found.setdefault(device, place.name)
        if len(found) > 1:
            places = ", ".join(f"{name} on device {device}" for device, name in found.items())
            raise LaunchError(f"the arrays are on different devices: {places}")
        return next(iter(found), 0) if found else self._api.current_device()

    def _call_host(self, library: Library, run: Run, handle: int) -> Result:
        """The host runs the function; NumPy arrays that it passes to kernels are on the device for the time of the
        call."""
        names = self._names_for_kernels()
        Shared(run.arguments).check_stays()
        with _Copies(self._api, run.arguments) as on_device:
            on_host = Realigned()

            def address(place: Place, within: Callable[[Place], int]) -> int:
                there = on_device if _is_given(place, names) else on_host
                return there.address(place, within)

            def call(values: Sequence[Passed]) -> None:
                with library.lock, telling(library, self._derivative, run.entry):
                    try:
                        library.run(run.entry, run.shape, handle, values)
                    finally:
                        if self._derivative.is_program and run.entry == GRADIENT:
                            self._report = library.report()

            place = declaring(library, address) if self._derivative.is_program else plainly(address)
            found = call_on_host(call, run, on_host, place)
            if on_device.made:
                self._api.synchronize()
                on_device.bring_back()
            return found

    def _names_for_kernels(self) -> set[str]:
        """The arguments of a host function, and their adjoints, that it passes to kernels."""
        names = set(self._derivative.given_to_kernels)
        return names | {f"_d_{name}" for name in names}

    def _call_device(self, library: Library, run: Run, handle: int) -> Result:
        with _Copies(self._api, run.arguments) as copies:
            address = plainly(copies.address)
            values: list[Passed] = [block.fill(address) for block in run.blocks]
            memory = None
            if copies.made:
                self._api.synchronize()  # copies from pageable memory may still be under way
            if run.result is not None:
                returned = np.zeros(1, dtype_of(run.result))
                memory = copies.allocate(returned.nbytes)
                values.append(ctypes.c_void_p(int(memory)))
            with library.lock, telling(library, self._derivative, run.entry):
                library.run(run.entry, run.shape, handle, values)
            if copies.made:
                library.synchronize(handle)
                copies.bring_back()
            if memory is None:
                return None
            self._api.read(returned.view(np.uint8), memory)
            return value_of(returned, run.result)

    @staticmethod
    def _order(library: Library, handle: int, array: ArrayView) -> None:
        """Our stream goes on after what made the array, if that is on another stream."""
        if array.stream is not None and _legacy(array.stream) != handle:
            library.wait(handle, _legacy(array.stream))


def _current_stream(device: Any) -> Callable[[], int]:
    """What gives the handle of PyTorch's current stream on a device, if possible without an object for it."""
    import torch

    raw: Any = getattr(getattr(torch, "_C", None), "_cuda_getCurrentRawStream", None)
    if raw is not None and device.index is not None:
        current: Callable[[], int] = partial(raw, device.index)
        return current
    return lambda: int(torch.cuda.current_stream(device).cuda_stream)


class _Stream:
    """The stream on which a launch can be made again: PyTorch's current one on the device of a tensor, where other
    tensors of that device are made, and where arrays of others are among the arguments, the one that it was."""

    def __init__(self, handle: int, tensor: Any, fixed: bool) -> None:
        self._handle = handle if fixed else None
        self._current = None if tensor is None else _current_stream(tensor.device)

    def handle_of(self, stream: object) -> int | None:
        """The handle of what a caller gives as a stream; None where the launch would have to wait for another."""
        handle = _legacy(stream_handle(stream))
        fits = self._handle is None or handle == self._handle
        return handle if fits and (self._current is None or _legacy(self._current()) == handle) else None


def _whole(place: Place) -> str:
    """The argument that a pointer belongs to."""
    return re.split(r"[.\[]", place.name, maxsplit=1)[0]


def _is_standard(place: Place) -> bool:
    """Whether a vector is the C++ library's."""
    return place.vector is not None and any(f.name == "capacity_" for f in place.vector.fields)


def _is_given(place: Place, names: set[str]) -> bool:
    """Whether what a pointer leads to is passed to kernels: all that an argument leads to, or a member of an object."""
    if place.vector is not None and _is_standard(place):
        return False
    return _whole(place) in names or re.sub(r"\[\d+\]", "", place.name) in names


def _release(library: Library, copies: Sequence[int], handle: int) -> None:
    """After an error of the device nothing else can be said."""
    for copy in copies:
        library.release(copy, handle)


def _legacy(stream: int) -> int:
    """The handle 1 is another name of the stream 0, which not every runtime knows."""
    return 0 if stream == 1 else stream


class _Copies:
    """NumPy arrays and tables of pointers on the device for the time of a call; arrays that overlap on the host do so
    there."""

    def __init__(self, api: DeviceApi, arguments: Sequence[Argument]) -> None:
        self._api = api
        self._shared = Shared(arguments)
        self._made: dict[tuple[int, int], SupportsInt] = {}  # by the host's memory
        self._allocated: list[SupportsInt] = []
        self._written: dict[tuple[int, int], tuple[ArrayView, int]] = {}  # what changes, and where

    def __enter__(self) -> _Copies:
        return self

    def __exit__(self, *_: object) -> None:
        for memory in self._allocated:
            with suppress(BackendError):  # after an error of the device nothing else can be said
                self._api.free(memory)

    @property
    def made(self) -> bool:
        return bool(self._allocated)

    def allocate(self, size: int) -> SupportsInt:
        """Memory until the end of the call."""
        memory = self._api.allocate(size)
        self._allocated.append(memory)
        return memory

    def address(self, place: Place, within: Callable[[Place], int]) -> int:
        """See `Address`."""
        target = place.target
        if isinstance(target, Block):
            if target.returned:
                raise ArgumentTypeError(
                    f"{place.name}: the kernel may write to this object, but nothing comes back in a dict\n"
                    "hint: pass a structured array whose pointers are addresses"
                )
            target.fill(within)
            memory = self.allocate(target.nbytes)
            self._api.write(memory, target.data)
            return int(memory)
        if not target.on_host:
            return target.pointer
        if target.nbytes == 0:
            return 0
        first, size = piece = self._shared.piece(target)
        if piece not in self._made:
            whole = replace(target, pointer=first, shape=(size,), dtype=np.dtype(np.uint8))
            self._made[piece] = self.allocate(size)
            self._api.write(self._made[piece], whole.as_numpy())
        offset = target.pointer - first
        if offset % place.alignment:
            raise LaunchError(
                f"{place.name}: the array begins {offset} bytes behind what it shares memory with: it must be a "
                f"multiple of {place.alignment}"
            )
        address = int(self._made[piece]) + offset
        if place.written:
            self._written[target.pointer, target.nbytes] = target, address
        return address

    def bring_back(self) -> None:
        for array, address in self._written.values():
            self._api.read(array.as_numpy(), address)


def _device_arrays(arguments: Sequence[Argument]) -> Iterator[tuple[Place, ArrayView]]:
    for argument in arguments:
        for place, array in argument.block.arrays():
            if not array.on_host:
                yield place, array


def _check_address(place: Place, array: ArrayView) -> None:
    if array.pointer % place.alignment:
        raise LaunchError(f"{place.name}: the array's address must be a multiple of {place.alignment}")
