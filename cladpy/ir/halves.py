"""Numbers of sixteen bits: their rounding, their pairs, and the types of adjoints, which are wider."""

from __future__ import annotations

import math

from cladpy.ir.types import FLOAT, Array, Field, Pointer, Record, Reference, ScalarKind, Struct, Type, is_half

# Digits after the first, the exponent of the smallest normal number, the largest number.
_FORMATS: dict[ScalarKind, tuple[int, int, float]] = {
    ScalarKind.HALF: (10, -14, 65504.0),
    ScalarKind.BFLOAT16: (7, -126, float.fromhex("0x1.fep+127")),
}
_PAIRS = ("__half2", "__nv_bfloat162")
FLOAT2 = Struct("float2", "float2", Record((Field("x", FLOAT, 0), Field("y", FLOAT, 4)), 8, 8))


def nearest(value: float, kind: ScalarKind) -> float | None:
    """The number of the format that is nearest, of two the even one; None where there is none that is finite."""
    if not math.isfinite(value) or value == 0.0:
        return value
    digits, least, largest = _FORMATS[kind]
    unit = max(math.frexp(value)[1] - 1, least) - digits
    rounded = math.copysign(math.ldexp(round(math.ldexp(abs(value), -unit)), unit), value)
    return rounded if abs(rounded) <= largest else None


def is_pair(type: Type) -> bool:
    """`__half2` and `__nv_bfloat162`."""
    return isinstance(type, Struct) and type.spelling in _PAIRS


def adjoint_value(type: Type) -> Type:
    """What adjoints of this type are held in. Those of halves are floats, since small contributions are lost in the sum
    that a half holds; those of pairs of halves pairs of floats. A class of the user's is its own adjoint."""
    if is_half(type):
        return FLOAT
    if is_pair(type):
        return FLOAT2
    match type:
        case Array(element, length):
            return Array(adjoint_value(element), length)
        case Pointer(pointee, const, restrict):
            return Pointer(adjoint_value(pointee), const, restrict)
        case Reference(referee, const):
            return Reference(adjoint_value(referee), const)
        case _:
            return type


def is_wider(type: Type) -> bool:
    """Whether adjoints in memory of this type are held in a wider one."""
    return adjoint_value(type) != type
