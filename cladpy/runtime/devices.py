"""CUDA devices through PyCUDA, which is imported only when a device is asked for."""

from __future__ import annotations

import atexit
import ctypes
import importlib.metadata
from functools import cache
from typing import Any

from cladpy.diagnostics import BackendError

PYCUDA_HINT = "pip install pycuda (or cladpy[pycuda])"

# Retained once per device and process: PyTorch, CuPy and the CUDA runtime use the same contexts.
_contexts: dict[int, Any] = {}
_handles: dict[int, int] = {}  # of these


def pycuda_version() -> str | None:
    """The version that is installed, without importing it."""
    try:
        return importlib.metadata.version("pycuda")
    except importlib.metadata.PackageNotFoundError:
        return None


@cache
def driver() -> Any:
    """`pycuda.driver`, initialised. Raises BackendError where it cannot be."""
    try:
        import pycuda.driver
    except ImportError as error:
        raise BackendError(f"PyCUDA cannot be imported: {error}\nhint: {PYCUDA_HINT}") from None
    try:
        pycuda.driver.init()
    except pycuda.driver.Error as error:
        raise BackendError(f"the CUDA driver cannot be used: {error}") from None
    return pycuda.driver


def device_names() -> list[str]:
    """The names of the devices; empty where there is no driver or no device."""
    try:
        cuda = driver()
    except BackendError:
        return []
    return [cuda.Device(k).name() for k in range(cuda.Device.count())]


def current_device() -> int:
    """The device of the context that is current in this thread, else 0."""
    cuda = driver()
    if cuda.Context.get_current() is None:
        return 0
    ordinal = cuda.Context.get_device().get_attribute(cuda.device_attribute.PCI_BUS_ID)
    for k in range(cuda.Device.count()):
        if cuda.Device(k).get_attribute(cuda.device_attribute.PCI_BUS_ID) == ordinal:
            return k
    return 0


def architecture(device: int) -> str:
    major, minor = driver().Device(device).compute_capability()
    return f"sm_{major}{minor}"


@cache
def shared_limit(device: int) -> int:
    """The bytes of shared memory that a block may ask for."""
    cuda = driver()
    attribute = cuda.device_attribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    return int(cuda.Device(device).get_attribute(attribute))


def revive(device: int) -> None:
    """Makes a primary context usable again that a program has reset (`cudaDeviceReset`)."""
    _contexts[device] = driver().Device(device).retain_primary_context()
    _handles[device] = int(_contexts[device].handle)


def is_primary(device: int, context: int | None) -> bool:
    """Whether it is the primary context that launches on a device are made in."""
    return context is not None and _handles.get(device) == context


class PrimaryContext:
    """A device's primary context, current within a `with`; whatever was current before is so again after it. Launches
    are made in it one by one, so that what can be done once is."""

    def __init__(self, device: int) -> None:
        """Raises BackendError where there is no such device."""
        cuda = driver()
        if not 0 <= device < cuda.Device.count():
            raise BackendError(f"there is no CUDA device {device}")
        self._device = device
        self._pop = cuda.Context.pop

    def __enter__(self) -> Any:
        if self._device not in _contexts:
            if not _contexts:
                atexit.register(_contexts.clear)
            revive(self._device)
        context = _contexts[self._device]
        context.push()
        return context

    def __exit__(self, *_: object) -> None:
        self._pop()


@cache
def cuda_library() -> ctypes.CDLL:
    """The driver, for what PyCUDA leaves out."""
    return ctypes.CDLL("libcuda.so.1")


@cache
def primary_context(device: int) -> PrimaryContext:
    """Raises BackendError where there is no such device."""
    return PrimaryContext(device)
