"""C++ types: their sizes, what they are made of, what arithmetic converts them to, and how they are spelled."""

from __future__ import annotations

import pytest

from cladpy.ir.halves import FLOAT2, adjoint_value
from cladpy.ir.surface_rules import without_restrict
from cladpy.ir.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    STREAM,
    UINT,
    ULONG,
    VOID,
    Array,
    Field,
    Opaque,
    Pointer,
    Record,
    Reference,
    Run,
    Scalar,
    ScalarKind,
    Struct,
    Type,
    arithmetic_conversion,
    has_floating,
    numbers_of,
    runs_of,
    size_of,
    spell,
)

LONGLONG, ULONGLONG, SHORT = (Scalar(k) for k in (ScalarKind.LONGLONG, ScalarKind.ULONGLONG, ScalarKind.SHORT))
NODE = Struct("Node", "Node", Record())
NODE.record.fields = (Field("next", Pointer(NODE), 0), Field("count", INT, 8))
MIXED = Struct(
    "Mixed", "Mixed", Record((Field("n", INT, 0), Field("v", Array(DOUBLE, 2), 8), Field("w", DOUBLE, 24)), 32, 8)
)
UNION = Struct("Union", "Union", Record((Field("d", DOUBLE, 0), Field("n", LONG, 0)), 8, 8, is_union=True))
BITS = Struct("Bits", "Bits", Record((Field("n", INT, 0), Field("m", UINT, 0)), 4, 4, is_union=True))
HALVES = Struct("Halves", "Halves", Record((Field("h", HALF, 0),), 2, 2))


@pytest.mark.parametrize(
    ("left", "right", "result"),
    [
        (FLOAT, FLOAT, FLOAT),
        (FLOAT, LONG, FLOAT),
        (FLOAT, DOUBLE, DOUBLE),
        (CHAR, BOOL, INT),
        (SHORT, INT, INT),
        (INT, LONG, LONG),
        (LONGLONG, LONG, LONGLONG),
        (INT, UINT, UINT),
        (LONG, UINT, LONG),  # it holds every unsigned int
        (UINT, LONGLONG, LONGLONG),
        (INT, ULONG, ULONG),
        (ULONG, LONGLONG, ULONGLONG),  # of the same width: neither holds the other
        (LONGLONG, ULONG, ULONGLONG),
    ],
)
def test_arithmetic_conversion(left: Scalar, right: Scalar, result: Scalar) -> None:
    assert arithmetic_conversion(left, right) == result


def test_sizes() -> None:
    assert [size_of(t) for t in (HALF, FLOAT, LONG, Pointer(DOUBLE), Reference(MIXED), STREAM)] == [2, 4, 8, 8, 8, 8]
    assert (size_of(Array(MIXED, 3)), size_of(UNION)) == (96, 8)
    for type in (VOID, Opaque("FILE")):
        with pytest.raises(ValueError, match="has no size"):
            size_of(type)


def test_floating_point_numbers_in_objects() -> None:
    assert not has_floating(NODE), "which leads to itself"
    assert has_floating(Pointer(Array(MIXED, 2)))
    assert numbers_of(Array(FLOAT2, 3)) == FLOAT
    assert [numbers_of(t) for t in (INT, MIXED, UNION, Pointer(DOUBLE))] == [None] * 4


def test_runs_of_numbers() -> None:
    assert runs_of(MIXED) == (Run(DOUBLE, 8, 3),)
    assert runs_of(Array(MIXED, 2)) == (Run(DOUBLE, 8, 3), Run(DOUBLE, 40, 3))
    assert runs_of(BITS) == ()
    many = Struct("Many", "Many", Record((Field("m", Array(MIXED, 65), 0),), 65 * 32, 8))
    assert [runs_of(t) for t in (NODE, UNION, HALVES, many)] == [None] * 4


@pytest.mark.parametrize(
    ("type", "text"),
    [
        (Pointer(Pointer(DOUBLE), const=True), "double *const *"),
        (Pointer(DOUBLE, const=True, restrict=True), "const double *__restrict__"),
        (Pointer(Array(FLOAT, 3)), "float (*)[3]"),
        (Reference(Array(FLOAT, 3), const=True), "const float (&)[3]"),
        (Reference(Pointer(INT), const=True), "int *const &"),
        (Pointer(Scalar(ScalarKind.INT, "Mode")), "Mode *"),
        (Array(Array(INT, 2), 3), "int [3][2]"),
        (VOID, "void"),
    ],
)
def test_spelling(type: Type, text: str) -> None:
    assert spell(type) == text


def test_types_that_stand_for_others() -> None:
    assert adjoint_value(Reference(Array(HALF, 2), const=True)) == Reference(Array(FLOAT, 2), const=True)
    assert adjoint_value(Pointer(HALF)) == Pointer(FLOAT)
    assert adjoint_value(MIXED) == MIXED
    restricted = Pointer(DOUBLE, restrict=True)
    assert without_restrict(Reference(Array(restricted, 2))) == Reference(Array(Pointer(DOUBLE), 2))
