"""One view of every kind of array: where its memory is, of what type, how laid out, and on which stream it was made."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cladpy.diagnostics import ArgumentTypeError
from cladpy.runtime import dlpack


@dataclass(frozen=True, slots=True)
class ArrayView:
    """`device` is None for memory of the host, else the device's number (-1 where the array does not say)."""

    pointer: int
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    contiguous: bool
    read_only: bool
    device: int | None
    stream: int | None  # the producer's stream, if the consumer has to wait for it
    owner: object  # keeps the memory alive

    @property
    def size(self) -> int:
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def on_host(self) -> bool:
        return self.device is None

    def as_numpy(self) -> NDArray[Any]:
        """The host memory as a flat array of bytes."""
        if self.nbytes == 0:
            return np.empty(0, np.uint8)
        return np.ctypeslib.as_array((ctypes.c_uint8 * self.nbytes).from_address(self.pointer))

    def is_zero(self) -> bool:
        """Whether the host memory holds nothing but zeros; padding of structures may hold anything."""
        numbers = self.as_numpy().view(self.dtype)
        return not bool(np.any(numbers if self.dtype.names is None else numbers != np.zeros((), self.dtype)))


def view_of(value: object) -> ArrayView | None:
    """A view of a NumPy array, a PyTorch tensor, or anything with __cuda_array_interface__ or __dlpack__.

    None if it is no array. Raises ArgumentTypeError for an array that cannot be passed.
    """
    if isinstance(value, np.ndarray):
        aligned = value.flags.aligned and value.dtype.isnative
        return ArrayView(
            value.ctypes.data,
            value.shape,
            value.dtype,
            value.flags.c_contiguous and aligned,
            not value.flags.writeable,
            None,
            None,
            value,
        )
    if isinstance(value, np.generic):
        return None
    if type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "data_ptr"):
        return _torch(value)
    # some arrays raise AttributeError there when they lie in host memory
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is not None:
        return _guarded(value, _cuda_interface(value, interface))
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        return _guarded(value, _dlpack(value))
    return None


# Libraries whose arrays never change, whatever their interface says: values of theirs may share the memory.
_IMMUTABLE = frozenset({"jax", "jaxlib", "tensorflow"})


def is_immutable(value: object) -> bool:
    """Whether an array is of a library whose arrays never change."""
    return type(value).__module__.partition(".")[0] in _IMMUTABLE


def _guarded(value: object, view: ArrayView) -> ArrayView:
    return replace(view, read_only=True) if is_immutable(value) else view


def _is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...] | None, itemsize: int) -> bool:
    if strides is None or 0 in shape:
        return True
    expected = itemsize
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def _torch(tensor: Any) -> ArrayView:
    name = str(tensor.dtype).removeprefix("torch.").replace("bfloat16", "uint16")  # as which its bits are taken
    try:
        dtype = np.dtype(name)
    except TypeError:
        raise ArgumentTypeError(f"a tensor of type {tensor.dtype} cannot be passed") from None
    device = tensor.device
    if device.type not in ("cpu", "cuda"):
        raise ArgumentTypeError(f"a tensor on device {device} cannot be passed")
    contiguous = bool(tensor.is_contiguous()) and not tensor.is_conj() and not tensor.is_neg()
    on_device = device.type == "cuda"
    stream = None
    if on_device:
        import torch

        stream = int(torch.cuda.current_stream(device).cuda_stream)
    number = (device.index if device.index is not None else -1) if on_device else None
    try:
        pointer = int(tensor.data_ptr())
    except RuntimeError:
        raise ArgumentTypeError(f"a tensor of layout {tensor.layout} cannot be passed") from None
    return ArrayView(pointer, tuple(tensor.shape), dtype, contiguous, False, number, stream, tensor)


def _cuda_interface(value: object, interface: Any) -> ArrayView:
    pointer, read_only = interface["data"]
    shape = tuple(int(n) for n in interface["shape"])
    dtype = np.dtype(interface["typestr"])
    strides = interface.get("strides")
    contiguous = _is_contiguous(shape, None if strides is None else tuple(strides), dtype.itemsize) and dtype.isnative
    stream = interface.get("stream")  # 1 and 2 are CUDA's handles of the legacy and the per-thread stream
    device = getattr(getattr(value, "device", None), "id", -1)
    return ArrayView(
        int(pointer or 0),
        shape,
        dtype,
        contiguous,
        bool(read_only),
        device if isinstance(device, int) else -1,
        None if stream is None else int(stream),
        value,
    )


def _dlpack(value: Any) -> ArrayView:
    kind, ordinal = value.__dlpack_device__()
    on_device = int(kind) in (dlpack.CUDA, dlpack.CUDA_MANAGED, dlpack.ROCM)
    if not on_device and int(kind) not in (dlpack.CPU, dlpack.CUDA_HOST, dlpack.ROCM_HOST):
        raise ArgumentTypeError(f"an array on DLPack device type {int(kind)} cannot be passed")
    stream = 0 if int(kind) == dlpack.ROCM else 1  # the default stream, to which the array is made visible
    options: dict[str, Any] = {"stream": stream} if on_device else {}
    try:
        capsule = value.__dlpack__(max_version=(1, 0), **options)
    except TypeError:
        capsule = value.__dlpack__(**options)
    except (BufferError, RuntimeError) as error:
        raise ArgumentTypeError(f"the array cannot be shared: {error}") from None
    tensor = dlpack.Tensor(capsule)
    return ArrayView(
        tensor.pointer,
        tensor.shape,
        tensor.dtype,
        _is_contiguous(tensor.shape, tensor.strides, tensor.dtype.itemsize),
        tensor.read_only,
        int(ordinal) if on_device else None,
        stream if on_device else None,
        (value, tensor),
    )
