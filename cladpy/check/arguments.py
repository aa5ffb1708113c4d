"""Arguments of a check as NumPy values: their dtypes, private copies, and what C sees of them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import Array as Rows
from cladpy.ir.types import Pointer, Scalar, ScalarKind, Type, spell, strip_reference

Array = npt.NDArray[Any]

_DTYPES: dict[ScalarKind, str] = {
    ScalarKind.BOOL: "?",
    ScalarKind.CHAR: "i1",
    ScalarKind.SCHAR: "i1",
    ScalarKind.UCHAR: "u1",
    ScalarKind.SHORT: "i2",
    ScalarKind.USHORT: "u2",
    ScalarKind.INT: "i4",
    ScalarKind.UINT: "u4",
    ScalarKind.LONG: "i8",
    ScalarKind.ULONG: "u8",
    ScalarKind.LONGLONG: "i8",
    ScalarKind.ULONGLONG: "u8",
    ScalarKind.FLOAT: "f4",
    ScalarKind.DOUBLE: "f8",
}


def element_dtype(type: Type) -> np.dtype[Any]:
    """The dtype of a scalar parameter, or of the numbers that a pointer or an array parameter leads to.

    Raises ArgumentTypeError for a type that a check cannot make values of.
    """
    inner = strip_reference(type)
    if isinstance(inner, Pointer):
        inner = inner.pointee
    while isinstance(inner, Rows):
        inner = inner.element
    if not isinstance(inner, Scalar):
        raise ArgumentTypeError(f"a check cannot make values of type '{spell(type)}'")
    return np.dtype(_DTYPES[inner.kind])


def is_buffer(type: Type) -> bool:
    """Whether the argument is an array: of a pointer, or of a reference to an array."""
    return isinstance(strip_reference(type), Pointer | Rows)


def private_copies(parameters: Sequence[Symbol], args: Sequence[Any]) -> list[Array]:
    """Each argument as an array of its own, scalars as arrays of one element, with the parameter's dtype.

    Raises LaunchError for a wrong number of arguments, ArgumentTypeError for a dtype that does not fit.
    """
    if len(parameters) != len(args):
        names = ", ".join(p.name for p in parameters)
        raise LaunchError(f"expected {len(parameters)} arguments ({names}), got {len(args)}")
    copies = []
    for parameter, value in zip(parameters, args, strict=True):
        dtype = element_dtype(parameter.type)
        array = np.asarray(value)
        if is_buffer(parameter.type):
            if array.dtype != dtype:
                raise ArgumentTypeError(f"argument '{parameter.name}' has dtype {array.dtype}, expected {dtype}")
            copies.append(np.array(array, dtype=dtype, order="C", copy=True))
        else:
            if array.size != 1:
                raise ArgumentTypeError(f"argument '{parameter.name}' is a scalar, got an array of {array.size}")
            copies.append(np.array(array, dtype=dtype, copy=True).reshape(1))
    return copies


def pointers_to(parameters: Sequence[Symbol], arrays: Sequence[Array]) -> tuple[Any, list[Any]]:
    """A C array of addresses of the argument values, and the objects that must stay alive as long as it is used."""
    alive: list[Any] = []
    addresses = (ctypes.c_void_p * max(1, len(arrays)))()
    for i, (parameter, array) in enumerate(zip(parameters, arrays, strict=True)):
        if isinstance(strip_reference(parameter.type), Pointer):
            holder = ctypes.c_void_p(array.ctypes.data)
            alive.append(holder)
            addresses[i] = ctypes.addressof(holder)
        else:
            addresses[i] = array.ctypes.data
    return addresses, alive


def triple(shape: int | Sequence[int]) -> tuple[int, int, int]:
    """A grid or block as three extents. Raises LaunchError for anything but one to three positive integers."""
    extents = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    if not 1 <= len(extents) <= 3 or any(int(e) != e or e < 1 for e in extents):
        raise LaunchError(f"grid and block are one to three positive integers, got {shape!r}")
    padded = [*map(int, extents), 1, 1]
    return padded[0], padded[1], padded[2]
