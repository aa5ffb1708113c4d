"""Reading DLPack capsules: where the memory of a tensor is and how it is laid out."""

from __future__ import annotations

import ctypes
from typing import Any, ClassVar

import numpy as np

from cladpy.diagnostics import ArgumentTypeError

CPU, CUDA, CUDA_HOST, ROCM, ROCM_HOST, CUDA_MANAGED = 1, 2, 3, 10, 11, 13

# DLDataTypeCode
_KINDS = {0: "i", 1: "u", 2: "f", 4: "u", 5: "c", 6: "b"}  # of bfloat16 (4) the bits
_READ_ONLY = 1


class _Device(ctypes.Structure):
    _fields_: ClassVar[Any] = [("kind", ctypes.c_int32), ("ordinal", ctypes.c_int32)]


class _DataType(ctypes.Structure):
    _fields_: ClassVar[Any] = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        ("tensor", _Tensor),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


class _Versioned(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


class Tensor:
    """What a capsule says. Keep it as long as the memory is used: it holds the capsule, which frees the tensor."""

    __slots__ = ("capsule", "device", "dtype", "ordinal", "pointer", "read_only", "shape", "strides")

    def __init__(self, capsule: object) -> None:
        """Raises ArgumentTypeError for a type of element that CUDA C++ programs here do not have."""
        self.capsule = capsule
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        is_valid = ctypes.pythonapi.PyCapsule_IsValid
        is_valid.restype, is_valid.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
        self.read_only = False
        if is_valid(capsule, b"dltensor_versioned"):
            versioned = _Versioned.from_address(get(capsule, b"dltensor_versioned"))
            tensor, self.read_only = versioned.tensor, bool(versioned.flags & _READ_ONLY)
        elif is_valid(capsule, b"dltensor"):
            tensor = _Managed.from_address(get(capsule, b"dltensor")).tensor
        else:
            raise ArgumentTypeError("__dlpack__() did not return a DLPack capsule")
        self.device, self.ordinal = int(tensor.device.kind), int(tensor.device.ordinal)
        kind, bits = _KINDS.get(tensor.dtype.code), int(tensor.dtype.bits)
        if kind is None or bits % 8 or tensor.dtype.lanes != 1:
            raise ArgumentTypeError(f"DLPack type code {tensor.dtype.code} of {bits} bits is not supported")
        self.dtype = np.dtype(f"{kind}{bits // 8}")
        self.shape = tuple(int(tensor.shape[k]) for k in range(tensor.ndim))
        self.strides = (
            tuple(int(tensor.strides[k]) * self.dtype.itemsize for k in range(tensor.ndim)) if tensor.strides else None
        )
        self.pointer = int(tensor.data or 0) + int(tensor.byte_offset)
