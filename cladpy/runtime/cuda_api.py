"""CUDA's runtime for the executor: the driver through PyCUDA, in the primary contexts; and what all that go through the
driver have in common."""

from __future__ import annotations

import ctypes
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, SupportsInt

from numpy.typing import NDArray

from cladpy.diagnostics import ArgumentTypeError, BackendError, LaunchError
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Place
from cladpy.runtime.cuda_driver import OF_DEVICE_PAGEABLE_ACCESS, cuda_driver
from cladpy.runtime.device_api import Device
from cladpy.runtime.devices import (
    architecture,
    cuda_library,
    current_device,
    driver,
    is_primary,
    primary_context,
    revive,
    shared_limit,
)

_CONTEXT, _MEMORY_TYPE, _ORDINAL = 1, 2, 9  # CU_POINTER_ATTRIBUTE_...


class DriverApi(ABC):
    """What the driver says of memory; see `DeviceApi`."""

    @abstractmethod
    def _current_context(self) -> int:
        """Its address."""

    def device_of(self, pointer: int) -> int | None:
        return _pointer_attribute(pointer, _ORDINAL, ctypes.c_int)

    def check(self, place: Place, array: ArrayView, device: int) -> None:
        """Memory that was freed, or the host's where the device cannot reach that, is not the driver's. Memory of
        another context cannot be reached, and memory of a pool belongs to none."""
        known = not array.nbytes or _pointer_attribute(array.pointer, _MEMORY_TYPE, ctypes.c_uint) is not None
        if not known and not _device_attribute(device, OF_DEVICE_PAGEABLE_ACCESS):
            raise LaunchError(
                f"{place.name}: the array is in no memory that the driver of CUDA knows\n"
                "hint: it may have been freed, or be the host's"
            )
        owner = _pointer_attribute(array.pointer, _CONTEXT, ctypes.c_void_p)
        if owner and owner != self._current_context():
            raise ArgumentTypeError(
                f"{place.name}: the array belongs to another CUDA context than the primary one of device {device}\n"
                "hint: use pycuda.autoprimaryctx instead of pycuda.autoinit"
            )


class CudaApi(DriverApi):
    """See `DeviceApi`."""

    def __init__(self) -> None:
        """Raises BackendError where PyCUDA or the driver cannot be used."""
        self._cuda = driver()
        self._active = 0  # the device that is worked on

    def current_device(self) -> int:
        return current_device()

    def architecture(self, device: int) -> str:
        return architecture(device)

    def shared_limit(self, device: int) -> int:
        return shared_limit(device)

    def active(self, device: int) -> AbstractContextManager[None]:
        self._active = device
        return primary_context(device)

    def repeating(self, device: int) -> Device:
        return Repeating(device, primary_context(device), is_primary)

    def _current_context(self) -> int:
        return int(self._cuda.Context.get_current().handle)

    def allocate(self, size: int) -> SupportsInt:
        with self._errors():
            try:
                memory: SupportsInt = self._cuda.mem_alloc(size)
            except self._cuda.LogicError:
                revive(self._active)
                memory = self._cuda.mem_alloc(size)
            return memory

    def free(self, memory: Any) -> None:
        with self._errors():
            memory.free()

    def write(self, memory: SupportsInt, content: NDArray[Any]) -> None:
        with self._errors():
            self._cuda.memcpy_htod(memory, content)

    def read(self, content: NDArray[Any], memory: SupportsInt) -> None:
        with self._errors():
            self._cuda.memcpy_dtoh(content, memory)

    def synchronize(self) -> None:
        with self._errors():
            self._cuda.Context.synchronize()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self._cuda.Error as error:
            raise BackendError(str(error)) from None


class Repeating:
    """See `Device`. That a primary context is current is said in a tenth of the time that it takes to make it so."""

    def __init__(
        self, device: int, active: AbstractContextManager[Any], is_primary: Callable[[int, int | None], bool]
    ) -> None:
        self._device, self._active, self._is_primary = device, active, is_primary
        self._context = ctypes.c_void_p()
        self._answer = ctypes.create_string_buffer(24)  # a word for each of what is asked
        self._fits = b""
        self._asked = (ctypes.c_int * 3)(_CONTEXT, _MEMORY_TYPE, _ORDINAL)
        first = ctypes.addressof(self._answer)
        self._answers = (ctypes.c_void_p * 3)(first, first + 8, first + 16)
        self._at = ctypes.addressof(self._asked), ctypes.addressof(self._answers)
        self._context_at = ctypes.addressof(self._context)
        library, number = cuda_library(), ctypes.c_void_p
        self._current = ctypes.PYFUNCTYPE(ctypes.c_int, number)(("cuCtxGetCurrent", library))
        about = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_uint, number, number, ctypes.c_ulonglong)
        self._about = about(("cuPointerGetAttributes", library))

    def is_current(self) -> bool:
        return self._current(self._context_at) == 0 and self._is_primary(self._device, self._context.value)

    def active(self) -> AbstractContextManager[None]:
        return self._active

    def reaches(self, pointer: int, written: bool) -> bool:
        """Memory of no type is none that the driver knows; that of a pool is of no context."""
        if self._about(3, *self._at, pointer):
            return False
        answer = self._answer.raw
        if answer == self._fits:
            return True
        context, kind, ordinal = struct.unpack("QI4xi4x", answer)
        fits = kind != 0 and ordinal == self._device and (not context or self._is_primary(self._device, context))
        self._fits = answer if fits else b""
        return fits


def _pointer_attribute(pointer: int, attribute: int, kind: type[ctypes._SimpleCData[Any]]) -> int | None:
    return cuda_driver().pointer_attribute(pointer, attribute, kind)


def _device_attribute(device: int, attribute: int) -> int:
    return cuda_driver().device_attribute(device, attribute)
