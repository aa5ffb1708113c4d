"""CUDA's runtime for the executor: the driver through PyCUDA, in the primary contexts."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any, SupportsInt

from numpy.typing import NDArray

from cladpy.diagnostics import ArgumentTypeError, BackendError, LaunchError
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Place
from cladpy.runtime.devices import architecture, current_device, driver, primary_context, revive, shared_limit

_CONTEXT, _MEMORY_TYPE, _ORDINAL = 1, 2, 9  # CU_POINTER_ATTRIBUTE_...
_PAGEABLE_ACCESS = 88  # CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS


class CudaApi:
    """See `DeviceApi`."""

    def __init__(self) -> None:
        """Raises BackendError where PyCUDA or the driver cannot be used."""
        self._cuda = driver()
        self._active = 0  # the device that is worked on

    def current_device(self) -> int:
        return current_device()

    def device_of(self, pointer: int) -> int | None:
        return _pointer_attribute(pointer, _ORDINAL, ctypes.c_int)

    def architecture(self, device: int) -> str:
        return architecture(device)

    def shared_limit(self, device: int) -> int:
        return shared_limit(device)

    def active(self, device: int) -> AbstractContextManager[None]:
        self._active = device
        return primary_context(device)

    def check(self, place: Place, array: ArrayView, device: int) -> None:
        """Memory that was freed, or the host's where the device cannot reach that, is not the driver's. Memory of
        another context cannot be reached, and memory of a pool belongs to none."""
        known = not array.nbytes or _pointer_attribute(array.pointer, _MEMORY_TYPE, ctypes.c_uint) is not None
        if not known and not _device_attribute(device, _PAGEABLE_ACCESS):
            raise LaunchError(
                f"{place.name}: the array is in no memory that the driver of CUDA knows\n"
                "hint: it may have been freed, or be the host's"
            )
        owner = _pointer_attribute(array.pointer, _CONTEXT, ctypes.c_void_p)
        if owner and owner != int(self._cuda.Context.get_current().handle):
            raise ArgumentTypeError(
                f"{place.name}: the array belongs to another CUDA context than the primary one of device {device}\n"
                "hint: use pycuda.autoprimaryctx instead of pycuda.autoinit"
            )

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


def _device_attribute(device: int, attribute: int) -> int:
    """cuDeviceGetAttribute; 0 where the driver has no answer."""
    value = ctypes.c_int()
    function = _cuda_library().cuDeviceGetAttribute
    function.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    return value.value if function(ctypes.byref(value), attribute, device) == 0 else 0
