"""CUDA's runtime for the executor: the driver through NVIDIA's own bindings, in the primary contexts."""

from __future__ import annotations

import importlib.metadata
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, SupportsInt

from numpy.typing import NDArray

from cladpy.diagnostics import BackendError
from cladpy.runtime.cuda_api import DriverApi, Repeating
from cladpy.runtime.device_api import Device

BINDINGS_HINT = "pip install cuda-bindings (or cladpy[cuda])"


def bindings_version() -> str | None:
    """The version that is installed, without importing it."""
    try:
        return importlib.metadata.version("cuda-bindings")
    except importlib.metadata.PackageNotFoundError:
        return None


@cache
def bindings() -> Any:
    """`cuda.bindings.driver`, initialised. Raises BackendError where it cannot be."""
    try:
        from cuda.bindings import driver
    except ImportError as error:
        raise BackendError(f"cuda-bindings cannot be imported: {error}\nhint: {BINDINGS_HINT}") from None
    try:
        _of(driver, driver.cuInit(0))
    except (BackendError, RuntimeError) as error:  # the latter where there is no library of the driver's
        raise BackendError(f"the CUDA driver cannot be used: {error}") from None
    return driver


def _of(driver: Any, said: tuple[Any, ...]) -> Any:
    """What a function gives beside its status, if anything. Raises BackendError for a status that is an error."""
    status, *given = said
    if int(status) != 0:
        found = driver.cuGetErrorString(status)
        text = found[1].decode(errors="replace") if int(found[0]) == 0 and found[1] else ""
        raise BackendError(f"{getattr(status, 'name', status)}: {text}")
    return given[0] if given else None


def bindings_device_names() -> list[str]:
    """The names of the devices; empty where there is no driver or no device."""
    try:
        cuda = bindings()
        count = _of(cuda, cuda.cuDeviceGetCount())
        names = [_of(cuda, cuda.cuDeviceGetName(256, _of(cuda, cuda.cuDeviceGet(k)))) for k in range(count)]
    except BackendError:
        return []
    return [name.rstrip(b"\0").decode(errors="replace") for name in names]


class BindingsApi(DriverApi):
    """See `DeviceApi`."""

    def __init__(self) -> None:
        """Raises BackendError where the bindings or the driver cannot be used."""
        self._cuda = bindings()
        self._active = 0  # the device that is worked on
        self._contexts: dict[int, PrimaryContext] = {}

    def current_device(self) -> int:
        if not self._current_context():
            return 0
        return int(self._of(self._cuda.cuCtxGetDevice()))

    def architecture(self, device: int) -> str:
        kind = self._cuda.CUdevice_attribute
        major = self._attribute(device, kind.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        return f"sm_{major}{self._attribute(device, kind.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)}"

    def shared_limit(self, device: int) -> int:
        kind = self._cuda.CUdevice_attribute
        return self._attribute(device, kind.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)

    def active(self, device: int) -> AbstractContextManager[None]:
        self._active = device
        return self._primary(device)

    def repeating(self, device: int) -> Device:
        return Repeating(device, self._primary(device), self._is_primary)

    def _primary(self, device: int) -> PrimaryContext:
        if device not in self._contexts:
            self._contexts[device] = PrimaryContext(self._cuda, device)
        return self._contexts[device]

    def _is_primary(self, device: int, context: int | None) -> bool:
        return context is not None and self._primary(device).address == context

    def allocate(self, size: int) -> SupportsInt:
        status, *memory = self._cuda.cuMemAlloc(size)
        if int(status) in _LOST:
            self._contexts[self._active].revive()
            status, *memory = self._cuda.cuMemAlloc(size)
        return int(self._of((status, *memory)))

    def free(self, memory: SupportsInt) -> None:
        self._of(self._cuda.cuMemFree(int(memory)))

    def write(self, memory: SupportsInt, content: NDArray[Any]) -> None:
        self._of(self._cuda.cuMemcpyHtoD(int(memory), content.ctypes.data, content.nbytes))

    def read(self, content: NDArray[Any], memory: SupportsInt) -> None:
        self._of(self._cuda.cuMemcpyDtoH(content.ctypes.data, int(memory), content.nbytes))

    def synchronize(self) -> None:
        self._of(self._cuda.cuCtxSynchronize())

    def _current_context(self) -> int:
        return int(self._of(self._cuda.cuCtxGetCurrent()))

    def _attribute(self, device: int, attribute: Any) -> int:
        return int(self._of(self._cuda.cuDeviceGetAttribute(attribute, self._of(self._cuda.cuDeviceGet(device)))))

    def _of(self, said: tuple[Any, ...]) -> Any:
        return _of(self._cuda, said)


# What is said of a context that a program has reset: CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_CONTEXT_IS_DESTROYED.
_LOST = (201, 709)


class PrimaryContext:
    """A device's primary context, current within a `with`; whatever was current before is so again after it. It is
    retained once per device: PyTorch, CuPy and the CUDA runtime use the same."""

    def __init__(self, cuda: Any, device: int) -> None:
        """Raises BackendError where there is no such device."""
        self._cuda = cuda
        if not 0 <= device < _of(cuda, cuda.cuDeviceGetCount()):
            raise BackendError(f"there is no CUDA device {device}")
        self._device = _of(cuda, cuda.cuDeviceGet(device))
        self._push, self._pop = cuda.cuCtxPushCurrent, cuda.cuCtxPopCurrent
        self.revive()

    def revive(self) -> None:
        """Makes it usable again where a program has reset it (`cudaDeviceReset`)."""
        self._context = _of(self._cuda, self._cuda.cuDevicePrimaryCtxRetain(self._device))
        self.address = int(self._context)

    def __enter__(self) -> None:
        _of(self._cuda, self._push(self._context))

    def __exit__(self, *_: object) -> None:
        self._pop()
