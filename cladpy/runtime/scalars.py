"""Numbers of Python as the scalar types of C++, without silent loss."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cladpy.diagnostics import ArgumentTypeError
from cladpy.ir.halves import nearest
from cladpy.ir.types import Scalar, ScalarKind, is_floating, is_half

_CTYPES: dict[ScalarKind, type[ctypes._SimpleCData[Any]]] = {
    ScalarKind.BOOL: ctypes.c_bool,
    ScalarKind.CHAR: ctypes.c_byte,
    ScalarKind.SCHAR: ctypes.c_byte,
    ScalarKind.UCHAR: ctypes.c_ubyte,
    ScalarKind.SHORT: ctypes.c_short,
    ScalarKind.USHORT: ctypes.c_ushort,
    ScalarKind.INT: ctypes.c_int,
    ScalarKind.UINT: ctypes.c_uint,
    ScalarKind.LONG: ctypes.c_long,
    ScalarKind.ULONG: ctypes.c_ulong,
    ScalarKind.LONGLONG: ctypes.c_longlong,
    ScalarKind.ULONGLONG: ctypes.c_ulonglong,
    ScalarKind.HALF: ctypes.c_uint16,  # the bits: there is no C type
    ScalarKind.BFLOAT16: ctypes.c_uint16,
    ScalarKind.FLOAT: ctypes.c_float,
    ScalarKind.DOUBLE: ctypes.c_double,
}


# NumPy has no bfloat16 of its own: the bits, marked as what they are. The type of ml_dtypes is taken as well.
_BFLOAT16: np.dtype[Any] = np.dtype(np.uint16, metadata={"bfloat16": True})
_DTYPES: dict[ScalarKind, np.dtype[Any]] = {
    **{kind: np.dtype(c_type) for kind, c_type in _CTYPES.items()},
    ScalarKind.HALF: np.dtype(np.float16),
    ScalarKind.BFLOAT16: _BFLOAT16,
}


def ctype_of(type: Scalar) -> type[ctypes._SimpleCData[Any]]:
    return _CTYPES[type.kind]


def dtype_of(type: Scalar) -> np.dtype[Any]:
    """The NumPy type with the same bits."""
    return _DTYPES[type.kind]


def is_floating_dtype(dtype: np.dtype[Any]) -> bool:
    """Whether the numbers of a type of `dtype_of` are floating-point ones."""
    return dtype.kind == "f" or _is_bfloat16(dtype)


def _is_bfloat16(dtype: np.dtype[Any]) -> bool:
    return dtype.metadata is not None and "bfloat16" in dtype.metadata


def name_of(dtype: np.dtype[Any]) -> str:
    """What messages call a type of `dtype_of`."""
    return "bfloat16 (its bits as uint16)" if _is_bfloat16(dtype) else dtype.name


def bfloat16_bits(values: Any) -> NDArray[np.uint16]:
    """Numbers rounded to bfloat16, as their bits."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    whole = np.where(np.isnan(values), np.uint32(0x7FFF0000), rounded)
    halves: NDArray[np.uint16] = (whole >> np.uint32(16)).astype(np.uint16)
    return halves


def bfloat16_values(bits: Any) -> NDArray[np.float32]:
    """What the bits of bfloat16 numbers stand for."""
    wide: NDArray[np.float32] = (np.asarray(bits).astype(np.uint32) << np.uint32(16)).view(np.float32)
    return wide


def same_dtype(given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """Kind, size and byte order; `long` and `long long` are one on the platforms of CUDA."""
    if _is_bfloat16(wanted) and given.name == "bfloat16":
        return True
    return given.kind == wanted.kind and given.itemsize == wanted.itemsize and given.isnative


def convert(name: str, type: Scalar, value: object) -> ctypes._SimpleCData[Any]:
    """The number as a C value of the type. Raises ArgumentTypeError where it is no number or does not fit."""
    wanted = type.kind.value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        value = int(value)
    if not isinstance(value, (int, float)):
        raise ArgumentTypeError(f"{name}: expected a number ({wanted}), got {_kind_of(value)}")
    if is_floating(type):
        return _floating(name, type, value)
    if isinstance(value, float):
        if not value.is_integer():
            raise ArgumentTypeError(f"{name}: expected an integer ({wanted}), got {value!r}")
        value = int(value)
    if type.kind is ScalarKind.BOOL:
        if value not in (0, 1):
            raise ArgumentTypeError(f"{name}: expected a bool, got {value!r}")
        return ctypes.c_bool(bool(value))
    converted = ctype_of(type)(value)
    if converted.value != value:
        raise ArgumentTypeError(f"{name}: {value} does not fit into {wanted}")
    return converted


def _floating(name: str, type: Scalar, value: int | float) -> ctypes._SimpleCData[Any]:
    try:
        number = float(value)
    except OverflowError:
        raise ArgumentTypeError(f"{name}: {value} does not fit into {type.kind.value}") from None
    if is_half(type):
        return _half(name, type, number)
    converted = ctype_of(type)(number)
    if math.isfinite(number) and not math.isfinite(converted.value):
        raise ArgumentTypeError(f"{name}: {value!r} does not fit into {type.kind.value}")
    return converted


def _half(name: str, type: Scalar, number: float) -> ctypes._SimpleCData[Any]:
    rounded = nearest(number, type.kind)
    if rounded is None:
        raise ArgumentTypeError(f"{name}: {number!r} does not fit into {type.kind.value}")
    if type.kind is ScalarKind.HALF:
        return ctypes.c_uint16(int(np.float16(rounded).view(np.uint16)))
    return ctypes.c_uint16(int(np.float32(rounded).view(np.uint32)) >> 16)


def number_of(type: Scalar, value: Any) -> int | float:
    """Python's number for one of NumPy that C++ returned."""
    if type.kind is ScalarKind.BFLOAT16:
        return float(bfloat16_values(value))
    return float(value) if isinstance(value, np.floating) else int(value)


def _kind_of(value: object) -> str:
    return "None" if value is None else f"an object of type {type(value).__name__}"
