"""Reading DLPack capsules: where the memory of a tensor is and how it is laid out."""

from __future__ import annotations

import ctypes
import struct
from functools import cache
from typing import Any

import numpy as np

from cladpy.diagnostics import ArgumentTypeError

CPU, CUDA, CUDA_HOST, ROCM, ROCM_HOST, CUDA_MANAGED = 1, 2, 3, 10, 11, 13

# DLDataTypeCode
_KINDS = {0: "i", 1: "u", 2: "f", 4: "u", 5: "c", 6: "b"}  # of bfloat16 (4) the bits
_READ_ONLY = 1


# DLTensor: data, device's kind and number, dimensions, type's code, bits and lanes, shape, strides, byte_offset. One
# that has a version has it, the context, the deleter and flags before that.
_TENSOR = struct.Struct("=QiiiBBHQQQ")
_VERSIONED = struct.Struct("=IIQQQ")


_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))


@cache
def _dtype_of(code: int, bits: int, lanes: int) -> np.dtype[Any]:
    kind = _KINDS.get(code)
    if kind is None or bits % 8 or lanes != 1:
        raise ArgumentTypeError(f"DLPack type code {code} of {bits} bits is not supported")
    return np.dtype(f"{kind}{bits // 8}")


class Tensor:
    """What a capsule says. Keep it as long as the memory is used: it holds the capsule, which frees the tensor."""

    __slots__ = ("capsule", "device", "dtype", "ordinal", "pointer", "read_only", "shape", "strides")

    def __init__(self, capsule: object) -> None:
        """Raises ArgumentTypeError for a type of element that CUDA C++ programs here do not have."""
        self.capsule = capsule
        self.read_only = False
        if _is_valid(capsule, b"dltensor_versioned"):
            start = _pointer_in(capsule, b"dltensor_versioned")
            flags = _VERSIONED.unpack(ctypes.string_at(start, _VERSIONED.size))[-1]
            self.read_only = bool(flags & _READ_ONLY)
            start += _VERSIONED.size
        elif _is_valid(capsule, b"dltensor"):
            start = _pointer_in(capsule, b"dltensor")
        else:
            raise ArgumentTypeError("__dlpack__() did not return a DLPack capsule")
        found = _TENSOR.unpack(ctypes.string_at(start, _TENSOR.size))
        data, self.device, self.ordinal, count, code, bits, lanes, shape, strides, offset = found
        self.dtype = _dtype_of(code, bits, lanes)
        self.shape = _integers(shape, count)
        itemsize = self.dtype.itemsize
        self.strides = tuple(n * itemsize for n in _integers(strides, count)) if strides else None
        self.pointer = data + offset


def _integers(start: int, count: int) -> tuple[int, ...]:
    return struct.unpack(f"={count}q", ctypes.string_at(start, 8 * count))
