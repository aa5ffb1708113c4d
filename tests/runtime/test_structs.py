"""The structured types that stand for classes: byte for byte those of C++."""

import ctypes

import numpy as np
import pytest

from cladpy.ir.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    Array,
    Field,
    Opaque,
    Pointer,
    Type,
    holds_pointers,
)
from cladpy.runtime.structs import alignment_of, dtype_of, float_leaves, leaves_of, members_of, uniform_scalar
from tests.runtime.classes import struct

FLOAT3 = struct("float3", Field("x", FLOAT, 0), Field("y", FLOAT, 4), Field("z", FLOAT, 8), size=12)
BODY = struct(
    "sim::Body",
    Field("alive", BOOL, 0),
    Field("position", FLOAT3, 4),
    Field("mass", DOUBLE, 16),
    Field("weights", Array(Array(FLOAT, 3), 2), 24),
    Field("next", Pointer(FLOAT), 48),
    size=56,
    alignment=8,
)


def test_offsets_and_size_are_those_of_the_class():
    class Vec(ctypes.Structure):
        _fields_ = [("x", ctypes.c_float), ("y", ctypes.c_float), ("z", ctypes.c_float)]

    class Body(ctypes.Structure):
        _fields_ = [
            ("alive", ctypes.c_bool),
            ("position", Vec),
            ("mass", ctypes.c_double),
            ("weights", ctypes.c_float * 3 * 2),
            ("next", ctypes.c_uint64),
        ]

    dtype = dtype_of(BODY)
    assert dtype.fields is not None
    for name, _ in Body._fields_:
        assert dtype.fields[name][1] == getattr(Body, name).offset
    assert dtype["position"] == np.dtype(Vec)
    assert dtype.itemsize == ctypes.sizeof(Body) == 56
    assert alignment_of(BODY) == ctypes.alignment(Body)
    assert dtype["weights"].shape == (2, 3)
    assert dtype["alive"] == np.dtype("?")
    assert dtype["next"] == np.dtype("u8")


def test_a_base_is_a_field_with_its_unqualified_name():
    base = struct("ns::Vec<ns::real>", Field("v", FLOAT, 0), size=4)
    other = struct("ns::Vec<int>", Field("v", INT, 0), size=4)
    derived = struct("D", Field("", base, 0, base=True), Field("", other, 4, base=True), Field("w", FLOAT, 8), size=12)
    assert dtype_of(derived).names == ("Vec", "Vec<int>", "w")
    assert [leaf.path for leaf in leaves_of(derived)] == ["Vec.v", "Vec<int>.v", "w"]


def test_an_empty_base_has_no_field():
    derived = struct("D", Field("", struct("Tag", size=1), 0, base=True), Field("w", FLOAT, 0), size=4)
    assert dtype_of(derived) == np.dtype({"names": ["w"], "formats": ["f4"], "offsets": [0], "itemsize": 4})
    assert dtype_of(struct("Tag", size=1)).itemsize == 1


def test_members_of_unnamed_members_are_the_owners():
    inner = struct("", Field("x", FLOAT, 0), Field("y", FLOAT, 4), size=8)
    union = struct("", Field("", inner, 0), Field("v", Array(FLOAT, 2), 0), size=8, is_union=True)
    owner = struct("Point", Field("id", INT, 0), Field("", union, 4), size=12)
    assert [(m.name, m.offset) for m in members_of(owner)] == [("id", 0), ("x", 4), ("y", 8), ("v", 4)]
    value = np.zeros((), dtype_of(owner))
    value["v"] = (1.5, 2.5)
    assert value["x"] == 1.5
    assert value["y"] == 2.5
    assert [leaf.path for leaf in float_leaves(owner)] == ["x", "y"]  # one number is one leaf


def test_bit_fields_are_bytes_without_a_name():
    flags = struct("Flags", Field("a", INT, 0, bits=3), Field("b", INT, 0, bits=5), Field("w", FLOAT, 4), size=8)
    assert dtype_of(flags).names == ("w",)
    assert dtype_of(flags).itemsize == 8


def test_leaves_have_paths_and_offsets():
    leaves = {leaf.path: leaf.offset for leaf in float_leaves(BODY)}
    assert leaves["position.z"] == 12
    assert leaves["weights[1][2]"] == 44
    assert len(leaves) == 10


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        (FLOAT3, (FLOAT, 3)),
        (Array(FLOAT3, 4), (FLOAT, 12)),
        (BODY, None),
        (struct("Pad", Field("x", FLOAT, 0), size=16, alignment=16), None),
        (struct("Empty", size=1), None),
        (struct("Rows", Field("p", Pointer(FLOAT), 0), size=8), None),
    ],
)
def test_uniform_classes_are_arrays_of_their_scalar(type: Type, expected: object):
    assert uniform_scalar(type) == expected


def test_pointers_are_found_at_any_depth():
    assert holds_pointers(BODY)
    assert holds_pointers(struct("Outer", Field("b", Array(BODY, 2), 0), size=112))
    assert not holds_pointers(FLOAT3)


def test_a_type_without_a_size_is_an_error():
    with pytest.raises(ValueError, match="has no size"):
        dtype_of(Opaque("cudaStream_t"))
