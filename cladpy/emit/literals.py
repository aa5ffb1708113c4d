"""Constants as C++ literals that give back exactly the same value."""

from __future__ import annotations

import math
import struct

from cladpy.ir.types import FLOAT, Opaque, Scalar, ScalarKind, Type, is_half

_SUFFIX = {
    ScalarKind.INT: "",
    ScalarKind.UINT: "u",
    ScalarKind.LONG: "L",
    ScalarKind.ULONG: "uL",
    ScalarKind.LONGLONG: "LL",
    ScalarKind.ULONGLONG: "uLL",
}


def literal(value: int | float | bool, type: Type) -> str:
    if isinstance(type, Opaque) and value > 0:  # the others are those that the gradient makes none of
        return f"(({type.spelling}){int(value)})"
    if not isinstance(type, Scalar):
        return "nullptr"
    match type.kind:
        case ScalarKind.BOOL:
            return "true" if value else "false"
        case ScalarKind.HALF | ScalarKind.BFLOAT16:
            return converted(literal(value, FLOAT), FLOAT, type)
        case ScalarKind.DOUBLE:
            return _floating(float(value), repr(float(value)), "")
        case ScalarKind.FLOAT:
            return _floating(float(value), _shortest_float(float(value)), "f")
        case kind if kind in _SUFFIX:
            number = int(value)
            lowest = {ScalarKind.INT: -(2**31), ScalarKind.LONG: -(2**63), ScalarKind.LONGLONG: -(2**63)}
            if lowest.get(kind) == number:
                return f"(-{-(number + 1)}{_SUFFIX[kind]} - 1)"
            return f"{number}{_SUFFIX[kind]}"
        case kind:
            return f"({kind.value}){int(value)}"


# How CUDA's functions call what halves are converted from and to, with C++'s rounding.
_NAMES = {
    ScalarKind.CHAR: "char",
    ScalarKind.SCHAR: "char",
    ScalarKind.UCHAR: "uchar",
    ScalarKind.SHORT: "short",
    ScalarKind.USHORT: "ushort",
    ScalarKind.INT: "int",
    ScalarKind.UINT: "uint",
    ScalarKind.LONG: "ll",
    ScalarKind.LONGLONG: "ll",
    ScalarKind.ULONG: "ull",
    ScalarKind.ULONGLONG: "ull",
}


def converted(text: str, source: Scalar, target: Scalar) -> str:
    """The conversion of a number from or to a half, by the function that CUDA has for it: whether there are operators
    is for the user's program to say."""
    if is_half(source):
        half = source.kind.value.removeprefix("__").removeprefix("nv_")
        if target.kind is ScalarKind.FLOAT:
            return f"__{half}2float({text})"
        if target.kind in _NAMES:
            number = f"__{half}2{_NAMES[target.kind]}_rz({text})"
            exact = target.kind not in (ScalarKind.CHAR, ScalarKind.LONG, ScalarKind.ULONG)
            return number if exact else f"static_cast<{target.kind.value}>({number})"
        wide = f"__{half}2float({text})"
        return converted(wide, FLOAT, target) if is_half(target) else f"static_cast<{target.kind.value}>({wide})"
    half = target.kind.value.removeprefix("__").removeprefix("nv_")
    if source.kind is ScalarKind.FLOAT:
        return f"__float2{half}_rn({text})"
    if source.kind is ScalarKind.DOUBLE:
        return f"__double2{half}({text})"
    name = _NAMES.get(source.kind, "int")  # smaller integers are promoted
    return f"__{'int' if 'char' in name else name}2{half}_rn({text})"


def _floating(value: float, text: str, suffix: str) -> str:
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}__builtin_inf{suffix}()"
    if math.isnan(value):
        return f'__builtin_nan{suffix}("")'
    if not any(c in text for c in ".en"):
        text += ".0"
    return text + suffix


def _shortest_float(value: float) -> str:
    if not math.isfinite(value):
        return repr(value)
    single = struct.unpack("f", struct.pack("f", value))[0]
    for digits in range(1, 10):
        text = f"{single:.{digits}g}"
        if struct.unpack("f", struct.pack("f", float(text)))[0] == single:
            return text if any(c in text for c in ".en") else text + ".0"
    return repr(single)
