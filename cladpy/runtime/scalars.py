"""Numbers of Python as the scalar types of C++, without silent loss."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from cladpy.diagnostics import ArgumentTypeError
from cladpy.ir.types import Scalar, ScalarKind, is_floating

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
    ScalarKind.FLOAT: ctypes.c_float,
    ScalarKind.DOUBLE: ctypes.c_double,
}


def ctype_of(type: Scalar) -> type[ctypes._SimpleCData[Any]]:
    return _CTYPES[type.kind]


def dtype_of(type: Scalar) -> np.dtype[Any]:
    """The NumPy type with the same bits."""
    return np.dtype(_CTYPES[type.kind])


def same_dtype(given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """Kind, size and byte order; `long` and `long long` are one on the platforms of CUDA."""
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
    converted = ctype_of(type)(number)
    if math.isfinite(number) and not math.isfinite(converted.value):
        raise ArgumentTypeError(f"{name}: {value!r} does not fit into {type.kind.value}")
    return converted


def _kind_of(value: object) -> str:
    return "None" if value is None else f"an object of type {type(value).__name__}"
