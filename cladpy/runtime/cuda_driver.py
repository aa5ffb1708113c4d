"""CUDA's driver by its C interface: what is asked of it whatever library the memory and the contexts come from."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from cladpy.diagnostics import BackendError
from cladpy.runtime.devices import cuda_library

OUT_OF_MEMORY = 2
OF_DEVICE_MULTIPROCESSORS, OF_DEVICE_PAGEABLE_ACCESS = 16, 88  # CU_DEVICE_ATTRIBUTE_...
_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_STACK = 0  # CU_LIMIT_STACK_SIZE

_POINTER, _NUMBER, _SIZE, _UNSIGNED = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t, ctypes.c_uint
_SIGNATURES: dict[str, list[Any]] = {
    "cuCtxGetDevice": [_POINTER],
    "cuCtxGetLimit": [_POINTER, _NUMBER],
    "cuCtxSetLimit": [_NUMBER, _SIZE],
    "cuCtxSynchronize": [],
    "cuDeviceGetAttribute": [_POINTER, _NUMBER, _NUMBER],
    "cuEventCreate": [_POINTER, _UNSIGNED],
    "cuEventDestroy_v2": [_POINTER],
    "cuEventRecord": [_POINTER, _POINTER],
    "cuGetErrorName": [_NUMBER, _POINTER],
    "cuGetErrorString": [_NUMBER, _POINTER],
    "cuKernelSetAttribute": [_NUMBER, _NUMBER, _POINTER, _NUMBER],
    "cuLaunchKernel": [_POINTER, *[_UNSIGNED] * 7, _POINTER, _POINTER, _POINTER],
    "cuLibraryGetGlobal": [_POINTER, _POINTER, _POINTER, ctypes.c_char_p],
    "cuLibraryGetKernel": [_POINTER, _POINTER, ctypes.c_char_p],
    "cuLibraryLoadData": [_POINTER, ctypes.c_char_p, _POINTER, _POINTER, _UNSIGNED, _POINTER, _POINTER, _UNSIGNED],
    "cuMemAllocAsync": [_POINTER, _SIZE, _POINTER],
    "cuMemFreeAsync": [_POINTER, _POINTER],
    "cuMemcpyAsync": [_POINTER, _POINTER, _SIZE, _POINTER],
    "cuMemcpyDtoH_v2": [_POINTER, _POINTER, _SIZE],
    "cuMemcpyHtoD_v2": [_POINTER, _POINTER, _SIZE],
    "cuMemsetD8Async": [_POINTER, ctypes.c_ubyte, _SIZE, _POINTER],
    "cuOccupancyMaxActiveBlocksPerMultiprocessor": [_POINTER, _POINTER, _NUMBER, _SIZE],
    "cuPointerGetAttribute": [_POINTER, _NUMBER, ctypes.c_ulonglong],
    "cuStreamSynchronize": [_POINTER],
    "cuStreamWaitEvent": [_POINTER, _POINTER, _UNSIGNED],
}


class DriverError(BackendError):
    """What a function of the driver's has said."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class Driver:
    """Its functions; those that do something to a device do it in the current context."""

    def __init__(self, library: Any) -> None:
        self._functions: dict[str, Any] = {}
        for name, arguments in _SIGNATURES.items():
            function = getattr(library, name, None)  # older drivers have no libraries of kernels
            if function is not None:
                function.argtypes, function.restype = arguments, ctypes.c_int
                self._functions[name] = function
        self.launch_kernel: Any = self._functions.get("cuLaunchKernel")

    def status(self, name: str, *arguments: object) -> int:
        """What the function says: 0, or the number of an error."""
        if name not in self._functions:
            raise BackendError(f"the CUDA driver is too old: it has no {name.partition('_')[0]}")
        return int(self._functions[name](*arguments))

    def call(self, name: str, *arguments: object) -> None:
        """Raises DriverError where the function fails."""
        status = self.status(name, *arguments)
        if status:
            raise DriverError(f"{name.partition('_')[0]}: {self.text(status)}", status)

    def text(self, status: int) -> str:
        """The name of an error, and what it means."""
        found = []
        for name in ("cuGetErrorName", "cuGetErrorString"):
            text = ctypes.c_char_p()
            if self.status(name, status, ctypes.byref(text)) == 0:
                found.append((text.value or b"").decode(errors="replace"))
        return ": ".join(found) or f"error {status}"

    def pointer_attribute(self, pointer: int, attribute: int, kind: type[ctypes._SimpleCData[Any]]) -> int | None:
        """None where the driver does not know the pointer, or has no answer."""
        value = kind()
        status = self.status("cuPointerGetAttribute", ctypes.byref(value), attribute, pointer)
        return value.value if status == 0 else None

    def device_attribute(self, device: int, attribute: int) -> int:
        """0 where the driver has no answer."""
        value = ctypes.c_int()
        return value.value if self.status("cuDeviceGetAttribute", ctypes.byref(value), attribute, device) == 0 else 0

    def current_device(self) -> int:
        device = ctypes.c_int()
        self.call("cuCtxGetDevice", ctypes.byref(device))
        return device.value

    def load(self, code: bytes) -> int:
        """A library of kernels, for whatever device is current when one is launched."""
        found = ctypes.c_void_p()
        self.call("cuLibraryLoadData", ctypes.byref(found), code, None, None, 0, None, None, 0)
        return found.value or 0

    def kernel(self, library: int, name: str) -> int:
        found = ctypes.c_void_p()
        self.call("cuLibraryGetKernel", ctypes.byref(found), library, name.encode())
        return found.value or 0

    def variable(self, library: int, name: str) -> int:
        """The address, in the current context."""
        found, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.call("cuLibraryGetGlobal", ctypes.byref(found), ctypes.byref(size), library, name.encode())
        return found.value or 0

    def allow_shared(self, kernel: int, size: int) -> None:
        """Dynamic shared memory beyond what every kernel may have has to be asked for."""
        self.call("cuKernelSetAttribute", _DYNAMIC_SHARED, size, kernel, self.current_device())

    def resident(self, kernel: int, threads: int, shared_mem: int) -> int:
        """How many blocks of a kernel are on the current device at once, at least one."""
        each = ctypes.c_int()
        name = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
        self.call(name, ctypes.byref(each), kernel, threads, shared_mem)
        return max(each.value, 1) * self.device_attribute(self.current_device(), OF_DEVICE_MULTIPROCESSORS)

    def deepen_stack(self, wanted: int) -> None:
        now = ctypes.c_size_t()
        self.call("cuCtxGetLimit", ctypes.byref(now), _STACK)
        if now.value < wanted:
            self.call("cuCtxSetLimit", _STACK, wanted)

    def allocate(self, size: int, stream: int) -> int:
        found = ctypes.c_void_p()
        self.call("cuMemAllocAsync", ctypes.byref(found), size, stream or None)
        return found.value or 0

    def free(self, memory: int, stream: int) -> None:
        self.call("cuMemFreeAsync", memory, stream or None)


@cache
def cuda_driver() -> Driver:
    """Raises BackendError where there is none."""
    try:
        return Driver(cuda_library())
    except OSError as error:
        raise BackendError(f"the CUDA driver cannot be used: {error}") from None
