"""HIP's runtime for the executor, and which AMD GPUs there are: libamdhip64 through ctypes."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar, SupportsInt

from numpy.typing import NDArray

from cladpy.diagnostics import ArgumentTypeError, BackendError
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Place
from cladpy.runtime.device_api import Device

HIP_HINT = "install ROCm's runtime (Debian: apt install libamdhip64-5, or AMD's packages)"

_NAMES = ("libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so")
_TO_DEVICE, _TO_HOST = 1, 2  # hipMemcpyKind


class HipRuntime:
    """The functions of the library that cladpy calls."""

    def __init__(self, path: str) -> None:
        """Raises OSError where it cannot be loaded, AttributeError where it is none."""
        library = ctypes.CDLL(path)
        pointer, number, text = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
        signatures: dict[str, list[Any]] = {
            "hipRuntimeGetVersion": [pointer],
            "hipGetDeviceCount": [pointer],
            "hipGetDevice": [pointer],
            "hipSetDevice": [number],
            "hipDeviceGetName": [text, number, number],
            "hipGetDeviceProperties": [pointer, number],
            "hipPointerGetAttributes": [pointer, pointer],
            "hipMalloc": [pointer, ctypes.c_size_t],
            "hipFree": [pointer],
            "hipMemcpy": [pointer, pointer, ctypes.c_size_t, number],
            "hipDeviceSynchronize": [],
        }
        self._functions = {}
        for name, arguments in signatures.items():
            self._functions[name] = function = getattr(library, name)
            function.argtypes, function.restype = arguments, ctypes.c_int
        self._text = library.hipGetErrorString
        self._text.argtypes, self._text.restype = [number], ctypes.c_char_p

    def status(self, name: str, *arguments: object) -> int:
        """What the function says: 0, or the number of an error."""
        return int(self._functions[name](*arguments))

    def call(self, name: str, *arguments: object) -> None:
        """Raises BackendError with the runtime's words where the function fails."""
        status = self.status(name, *arguments)
        if status:
            raise BackendError(f"{name}: {self._text(status).decode(errors='replace')}")

    def number(self, name: str) -> int:
        """What a function writes to the only argument it has."""
        value = ctypes.c_int()
        self.call(name, ctypes.byref(value))
        return value.value


@cache
def hip_runtime() -> HipRuntime:
    """The runtime library: the one that the process has loaded, say with PyTorch, else the system's.

    Raises BackendError where there is none.
    """
    for name in (*_loaded(), *_NAMES, *_in_rocm()):
        try:
            return HipRuntime(name)
        except (OSError, AttributeError):
            continue
    raise BackendError(f"HIP's runtime, libamdhip64, was not found\nhint: {HIP_HINT}")


def _loaded() -> list[str]:
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        return []
    return list(dict.fromkeys(re.findall(r"(/\S*/libamdhip64\.so\S*)$", maps, re.MULTILINE)))


def _in_rocm() -> list[str]:
    root = Path(os.environ.get("ROCM_PATH", "/opt/rocm"))
    return [str(root / "lib" / "libamdhip64.so")]


def hip_device_names() -> list[str]:
    """The names of the AMD GPUs; empty where there is none. Raises BackendError where there is no runtime."""
    runtime = hip_runtime()
    count = ctypes.c_int()
    if runtime.status("hipGetDeviceCount", ctypes.byref(count)):
        return []  # which is how it says that there is none
    names = []
    for device in range(count.value):
        name = ctypes.create_string_buffer(256)
        runtime.call("hipDeviceGetName", name, len(name), device)
        names.append(name.value.decode(errors="replace") or f"device {device}")
    return names


class HipApi:
    """See `DeviceApi`."""

    def __init__(self) -> None:
        """Raises BackendError where there is no runtime."""
        self._runtime = hip_runtime()

    def current_device(self) -> int:
        return self._runtime.number("hipGetDevice")

    def device_of(self, pointer: int) -> int | None:
        found = self._attributes(pointer)
        return None if found is None else found.device

    def architecture(self, device: int) -> str:
        """Without the features that follow the name after a colon."""
        found = re.search(rb"gfx[0-9a-f]+", self._properties(device))
        if found is None:
            raise BackendError(f"HIP does not say of what architecture device {device} is")
        return found[0].decode()

    def shared_limit(self, device: int) -> int:
        """The second number behind the name, of eight bytes each."""
        return int.from_bytes(self._properties(device)[264:272], "little")

    def _properties(self, device: int) -> bytes:
        """`hipDeviceProp_t` as it was before ROCm 6, which the function of this name still gives."""
        memory = ctypes.create_string_buffer(1 << 14)
        self._runtime.call("hipGetDeviceProperties", memory, device)
        return memory.raw

    @contextmanager
    def active(self, device: int) -> Iterator[None]:
        before = self.current_device()
        self._runtime.call("hipSetDevice", device)
        try:
            yield
        finally:
            self._runtime.call("hipSetDevice", before)

    def repeating(self, device: int) -> Device:
        return _Repeating(self, device)

    def check(self, place: Place, array: ArrayView, device: int) -> None:
        """Additions by instructions of the hardware are lost in memory that the host shares."""
        found = self._attributes(array.pointer)
        if found is None:
            raise ArgumentTypeError(f"{place.name}: HIP does not know the array's memory")
        if place.written and self._is_shared(found):
            raise ArgumentTypeError(
                f"{place.name}: the array is in memory that the device shares with the host, where atomic additions "
                "may be lost\nhint: copy it to memory of the device"
            )

    def reaches(self, device: int, pointer: int, written: bool) -> bool:
        """See `Device`."""
        found = self._attributes(pointer)
        return found is not None and found.device == device and not (written and self._is_shared(found))

    def _is_shared(self, found: _Attributes) -> bool:
        """Whether memory is the device's and the host's."""
        in_device = found.type == (1 if self._runtime.number("hipRuntimeGetVersion") < 60000000 else 2)
        return not in_device or bool(found.managed)

    def allocate(self, size: int) -> SupportsInt:
        address = ctypes.c_void_p()
        self._runtime.call("hipMalloc", ctypes.byref(address), size)
        return address.value or 0

    def free(self, memory: SupportsInt) -> None:
        self._runtime.call("hipFree", int(memory))

    def write(self, memory: SupportsInt, content: NDArray[Any]) -> None:
        self._runtime.call("hipMemcpy", int(memory), content.ctypes.data, content.nbytes, _TO_DEVICE)

    def read(self, content: NDArray[Any], memory: SupportsInt) -> None:
        self._runtime.call("hipMemcpy", content.ctypes.data, int(memory), content.nbytes, _TO_HOST)

    def synchronize(self) -> None:
        self._runtime.call("hipDeviceSynchronize")

    def _attributes(self, pointer: int) -> _Attributes | None:
        found = _Attributes()
        failed = self._runtime.status("hipPointerGetAttributes", ctypes.byref(found), pointer)
        # from ROCm 6 on, memory that is not known has a type of its own: 0, which was the host's
        return None if failed or (not found.devicePointer and not found.hostPointer) else found


class _Attributes(ctypes.Structure):
    """`hipPointerAttribute_t`, with room for what later versions may add."""

    _fields_: ClassVar[Any] = [
        ("type", ctypes.c_int),
        ("device", ctypes.c_int),
        ("devicePointer", ctypes.c_void_p),
        ("hostPointer", ctypes.c_void_p),
        ("managed", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("room", ctypes.c_uint8 * 64),
    ]


class _Repeating:
    """See `Device`."""

    def __init__(self, api: HipApi, device: int) -> None:
        self._device = device
        self.active = partial(api.active, device)
        self.reaches = partial(api.reaches, device)
        self._api = api

    def is_current(self) -> bool:
        return self._api.current_device() == self._device
