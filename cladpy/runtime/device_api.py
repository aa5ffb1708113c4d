"""What the executor asks of a GPU's runtime: CUDA's through PyCUDA, or HIP's."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol, SupportsInt

from numpy.typing import NDArray

from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Place


class Device(Protocol):
    """What is asked of a device in each of many launches, so that it is asked quickly."""

    def is_current(self) -> bool:
        """Whether the device is current in this thread."""

    def active(self) -> AbstractContextManager[Any]:
        """See `DeviceApi`."""

    def reaches(self, pointer: int, written: bool) -> bool:
        """Whether memory is of the device, and such that `DeviceApi.check` takes it; the device is active."""


class DeviceApi(Protocol):
    """The methods raise BackendError for what the runtime refuses; those from `check` on need an active device."""

    def current_device(self) -> int:
        """The device that is current in this thread, else 0."""

    def device_of(self, pointer: int) -> int | None:
        """The device that memory is on; None where the runtime does not know it."""

    def architecture(self, device: int) -> str:
        """As the compiler is told it, such as `sm_90` or `gfx90a`."""

    def shared_limit(self, device: int) -> int:
        """The bytes of shared memory that a block may ask for."""

    def active(self, device: int) -> AbstractContextManager[None]:
        """Makes the device current within the `with`; whatever was current before is so again after it."""

    def repeating(self, device: int) -> Device:
        """The device for launches that are made again and again, by one thread at a time."""

    def check(self, place: Place, array: ArrayView, device: int) -> None:
        """Raises ArgumentTypeError where a kernel on this device cannot use the array."""

    def allocate(self, size: int) -> SupportsInt:
        """Memory of the device; its number is its address."""

    def free(self, memory: SupportsInt) -> None:
        """Gives memory back, once all that was enqueued before is done with it."""

    def write(self, memory: SupportsInt, content: NDArray[Any]) -> None:
        """From the host's memory to the device's."""

    def read(self, content: NDArray[Any], memory: SupportsInt) -> None:
        """From the device's memory to the host's."""

    def synchronize(self) -> None:
        """Waits for all that was enqueued on the device."""
