"""Classes for the tests of the runtime, as the front end describes them, with their C++ text."""

from __future__ import annotations

from cladpy.ir.types import BOOL, DOUBLE, FLOAT, INT, Array, Field, Pointer, Record, Struct, Type
from cladpy.ir.types import size_of as size


def struct(name: str, *fields: Field, size: int, alignment: int = 4, is_union: bool = False) -> Struct:
    return Struct(name, name, Record(fields, size, alignment, is_union))


def packed(name: str, **types: Type) -> Struct:
    """A class whose members follow each other without gaps."""
    fields, offset = [], 0
    for member, type in types.items():
        fields.append(Field(member, type, offset))
        offset += size(type)
    return struct(name, *fields, size=offset, alignment=8 if offset % 8 == 0 else 4)


FLOAT4 = struct("float4", *(Field(n, FLOAT, 4 * k) for k, n in enumerate("xyzw")), size=16, alignment=16)
PAIR = packed("Pair", a=DOUBLE, b=DOUBLE)
BODY = struct(
    "Body",
    Field("alive", BOOL, 0),
    Field("position", Array(DOUBLE, 3), 8),
    Field("id", INT, 32),
    size=40,
    alignment=8,
)
VIEW = struct(
    "View",
    Field("data", Pointer(DOUBLE), 0),
    Field("index", Pointer(INT, const=True), 8),
    Field("count", INT, 16),
    Field("scale", DOUBLE, 24),
    size=32,
    alignment=8,
)
WIDE = struct("Wide", Field("v", Array(DOUBLE, 4), 0), size=64, alignment=64)
NESTED = struct("Nested", Field("", PAIR, 0, base=True), Field("view", VIEW, 16), size=48, alignment=8)

CLASSES = """#include <cuda_runtime.h>
struct Pair { double a, b; };
struct Body { bool alive; double position[3]; int id; };
struct View { double *data; const int *index; int count; double scale; };
struct alignas(64) Wide { double v[4]; };
struct Nested : Pair { View view; };
"""
