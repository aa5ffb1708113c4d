"""Constants as C++ literals that give back exactly the same value."""

from __future__ import annotations

import math
import struct

from cladpy.ir.types import Scalar, ScalarKind, Type

_SUFFIX = {
    ScalarKind.INT: "",
    ScalarKind.UINT: "u",
    ScalarKind.LONG: "L",
    ScalarKind.ULONG: "uL",
    ScalarKind.LONGLONG: "LL",
    ScalarKind.ULONGLONG: "uLL",
}


def literal(value: int | float | bool, type: Type) -> str:
    if not isinstance(type, Scalar):
        return "nullptr"
    match type.kind:
        case ScalarKind.BOOL:
            return "true" if value else "false"
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
