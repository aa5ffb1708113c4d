"""Classes and tables of pointers as arguments: what is taken, as which bytes, and what is refused, naming the part."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import numpy as np
import pytest

from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.ir.customs import adjoint_type
from cladpy.ir.types import BOOL, DOUBLE, FLOAT, INT, Array, Field, Pointer, Reference, Struct, Type
from cladpy.options import Options
from cladpy.runtime.arguments import Argument, Slot, check
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Block
from cladpy.runtime.structs import dtype_of
from tests.runtime.classes import BODY, FLOAT4, NESTED, PAIR, VIEW, struct


class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_double), ("b", ctypes.c_double)]


def one(type: Type, value: object, *, adjoint: bool = False) -> Block:
    slot = Slot("p", type)
    if not adjoint:
        return check("call", [slot], [value])[0].block
    from cladpy.runtime.passing import block_for

    return block_for("p", type, value, adjoint=True)


def with_adjoint(type: Type, value: object, adjoint: object, options: Options | None = None) -> list[Argument]:
    slots = [Slot("p", type), Slot("_d_p", adjoint_type(type), 0)]
    return check("call", slots, [value, adjoint], options or Options())


def record(type: Struct, *values: object) -> np.ndarray:
    return np.array([tuple(values)], dtype_of(type))


# ---- objects without pointers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        {"a": 1.5, "b": 2},
        SimpleNamespace(a=1.5, b=2.0, more="is not looked at"),
        (1.5, 2.0),
        [1.5, 2],
        np.array([1.5, 2.0]),
        1.5 + 2j,
        np.complex128(1.5 + 2j),
        Pair(1.5, 2.0),
        record(PAIR, 1.5, 2.0),
        record(PAIR, 1.5, 2.0)[0],
        record(PAIR, 1.5, 2.0).reshape(()),
        np.array([(1.5, 2.0)], [("first", "f8"), ("second", "f8")]),
    ],
)
def test_an_object_is_its_bytes(value: object) -> None:
    block = one(PAIR, value)
    assert block.data.view(np.float64).tolist() == [1.5, 2.0]
    assert block.places == ()


def test_members_of_every_kind_lie_where_they_belong() -> None:
    data = one(BODY, {"alive": True, "position": [1, 2, 3], "id": 7}).data
    body = data.view(dtype_of(BODY))[0]
    assert (body["alive"], body["position"].tolist(), body["id"]) == (True, [1.0, 2.0, 3.0], 7)
    assert data.ctypes.data % 8 == 0
    assert one(FLOAT4, (1, 2, 3, 4)).data.ctypes.data % 16 == 0


def test_arrays_in_classes_take_nested_and_flat_values() -> None:
    matrix = struct("M", Field("m", Array(Array(DOUBLE, 2), 2), 0), Field("n", INT, 32), size=40, alignment=8)
    for value in ([[1, 2], [3, 4]], np.arange(1.0, 5.0), np.arange(1.0, 5.0).reshape(2, 2)):
        assert one(matrix, {"m": value, "n": 0}).data.view(np.float64)[:4].tolist() == [1, 2, 3, 4]
    with pytest.raises(ArgumentTypeError, match=r"^p\.m\[1\]: expected 2 values \(double \[2\]\), got 1"):
        one(matrix, {"m": [[1, 2], [3]], "n": 0})


def test_members_of_a_base_are_its_own_or_the_class_s() -> None:
    derived = struct("D", Field("", PAIR, 0, base=True), Field("c", DOUBLE, 16), size=24, alignment=8)
    for value in ({"Pair": {"a": 1, "b": 2}, "c": 3}, {"a": 1, "b": 2, "c": 3}, {"Pair": (1, 2), "c": 3}):
        assert one(derived, value).data.view(np.float64).tolist() == [1, 2, 3]
    with pytest.raises(ArgumentTypeError, match=r"^p\.b: no value is given \(double\)"):
        one(derived, {"a": 1, "c": 3})


def test_one_member_of_a_union_is_given() -> None:
    bits = struct("Bits", Field("f", FLOAT, 0), Field("i", INT, 0), size=4, is_union=True)
    assert one(bits, {"f": 1.0}).data.view(np.uint32)[0] == 0x3F800000
    with pytest.raises(ArgumentTypeError, match=r"^p: f and i share their memory; give one of them"):
        one(bits, {"f": 1.0, "i": 1})
    with pytest.raises(ArgumentTypeError, match=r"^p\.f: no value is given"):
        one(bits, {})


BITS = struct("Flags", Field("on", INT, 0, bits=1), Field("w", FLOAT, 4), size=8)


@pytest.mark.parametrize(
    ("type", "value", "text"),
    [
        (PAIR, {"a": 1.0, "c": 2.0}, "p: Pair has no member 'c'; it has a, b"),
        (PAIR, {"a": 1.0}, r"p\.b: no value is given \(double\)"),
        (PAIR, SimpleNamespace(a=1.0), r"p\.b: no value is given \(double\)"),
        (PAIR, {"a": "x", "b": 1}, r"p\.a: expected a number \(double\), got an object of type str"),
        (PAIR, {"a": np.zeros(2), "b": 1}, r"p\.a: expected a number \(double\), got an array"),
        (PAIR, (1.0, 2.0, 3.0), "p: Pair is 2 numbers, got 3"),
        (PAIR, (1.0, None), r"p\[1\]: expected a number \(double\), got None"),
        (PAIR, None, r"p: expected 2 numbers, a dict, a structured scalar or a ctypes.Structure \(Pair\), got None"),
        (PAIR, 1.0, r"p: expected 2 numbers, .* \(Pair\), got an object of type float"),
        (BODY, [1, 2, 3], r"p: expected a dict, a structured scalar or a ctypes.Structure \(Body\), got an object of"),
        (BODY, np.zeros(5), r"p: expected a dict, .*, got an array"),
        (BODY, {"alive": 2, "position": [1, 2, 3], "id": 7}, r"p\.alive: expected a bool, got 2"),
        (BODY, {"alive": 1, "position": [1, 2], "id": 7}, r"p\.position: expected 3 values \(double \[3\]\), got 2"),
        (BODY, {"alive": 1, "position": 3, "id": 7}, r"p\.position: expected 3 values .*, got an object of type int"),
        (BODY, {"alive": 1, "position": [1, "y", 2], "id": 7}, r"p\.position\[1\]: expected a number"),
        (BODY, Pair(1, 2), "p: Body has 40 bytes, an object of type Pair has 16"),
        (BODY, np.zeros(2, dtype_of(BODY)), "p: expected one Body, got an array of 2"),
        (BODY, np.zeros(1, "f8, f8, f8, f8, f8"), "p: the layout of Body is not that of"),
        (NESTED, {"a": 1, "b": 2, "view": {"data": 3}}, r"p\.view\.index: no value is given \(const int \*\)"),
        (BITS, {"w": 1.0}, r"p\.on is a bit-field, which cannot be set by its name"),
    ],
)
def test_what_is_no_object_of_the_class(type: Type, value: object, text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=r"^" + text):
        one(type, value)


def test_bit_fields_come_with_a_structure() -> None:
    class Flags(ctypes.Structure):
        _fields_ = [("on", ctypes.c_int, 1), ("w", ctypes.c_float)]

    assert one(BITS, Flags(1, 2.0)).data.tolist() == [1, 0, 0, 0, *np.float32(2).tobytes()]


def test_structured_types_agree_by_layout() -> None:
    other = np.dtype({"names": ["q", "w"], "formats": ["u1", "3f8"], "offsets": [0, 8], "itemsize": 40})
    with pytest.raises(ArgumentTypeError, match="the layout of Body is not that of"):
        one(BODY, np.zeros(1, other))  # nothing is at `id`
    named = np.dtype({"names": ["q", "x", "y", "z", "n"], "formats": ["?", "f8", "f8", "f8", "u4"],
                      "offsets": [0, 8, 16, 24, 32], "itemsize": 40})  # fmt: skip
    one(BODY, np.zeros(1, named))
    with pytest.raises(ArgumentTypeError, match="the layout of Body is not that of"):
        one(BODY, np.zeros(1, named.newbyteorder()))


# ---- arrays of objects ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("array", "count"),
    [
        (np.zeros(5, dtype_of(FLOAT4)), 5),
        (np.zeros((2, 3), dtype_of(FLOAT4)), 6),
        (np.zeros((5, 4), "f4"), 5),
        (np.zeros((2, 3, 4), "f4"), 6),
        (np.zeros((2, 2, 2), "f4"), 2),
        (np.zeros(12, "f4"), 3),
        (np.zeros((3, 2), "c8"), 3),
        (np.zeros(0, "f4"), 0),
    ],
)
def test_arrays_of_a_vector_type(array: np.ndarray, count: int) -> None:
    place = one(Pointer(FLOAT4), array).places[0]
    assert place.count == count
    assert isinstance(place.target, ArrayView) and place.target.pointer == array.ctypes.data


@pytest.mark.parametrize(
    ("type", "array", "error", "text"),
    [
        (FLOAT4, np.zeros(6, "f4"), LaunchError, r"p: an array of shape \(6,\) does not fit float4 \*\nhint: .* 4\)"),
        (FLOAT4, np.zeros((4, 3), "f4"), LaunchError, r"p: an array of shape \(4, 3\) does not fit float4 \*"),
        (FLOAT4, np.zeros(4), ArgumentTypeError, "p: expected an array of float4 or of float32, got one of float64"),
        (BODY, np.zeros(5), ArgumentTypeError, r"p: expected an array of Body, got one of float64\nhint: dtype_of\(\)"),
        (BODY, np.zeros(5, "f8, f8"), ArgumentTypeError, r"p: expected an array of Body, got one of \[\('f0'"),
        (BODY, np.zeros(6, dtype_of(BODY))[::2], LaunchError, "p: the array is not contiguous"),
        (BODY, [{"alive": 1}], ArgumentTypeError, "p: expected an array of Body, got an object of type list"),
        (BODY, 3, ArgumentTypeError, "p: expected an array of Body, got an object of type int"),
    ],
)
def test_arrays_that_do_not_fit(type: Type, array: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=r"^" + text):
        one(Pointer(type), array)


def test_adjoints_of_objects() -> None:
    with_adjoint(Pointer(FLOAT4), np.zeros(3, dtype_of(FLOAT4)), np.zeros((3, 4), "f4"))
    with_adjoint(BODY, {"alive": 1, "position": [0, 0, 0], "id": 1}, np.zeros(1, dtype_of(BODY)))
    with_adjoint(FLOAT4, (1, 2, 3, 4), np.zeros(4, "f4"))
    with pytest.raises(LaunchError, match=r"^_d_p: expected 3 elements, as p has, got 4"):
        with_adjoint(Pointer(FLOAT4), np.zeros(12, "f4"), np.zeros(16, "f4"))
    with pytest.raises(LaunchError, match=r"^_d_p: the adjoint of the value p is an array of one element, got 2"):
        with_adjoint(FLOAT4, (1, 2, 3, 4), np.zeros(8, "f4"))
    with pytest.raises(ArgumentTypeError, match=r"^_d_p: expected an array of Body, got an object of type dict"):
        with_adjoint(BODY, {"alive": 1, "position": [0, 0, 0], "id": 1}, {})


def test_types_of_adjoints() -> None:
    assert adjoint_type(DOUBLE) == Pointer(DOUBLE)
    assert adjoint_type(Pointer(FLOAT4, const=True)) == Pointer(FLOAT4)
    assert adjoint_type(Pointer(Pointer(DOUBLE, const=True), const=True)) == Pointer(Pointer(DOUBLE))
    assert adjoint_type(Reference(DOUBLE, const=True)) == Pointer(DOUBLE)
    assert adjoint_type(FLOAT4) == Pointer(FLOAT4)
    assert adjoint_type(VIEW) == VIEW
    assert adjoint_type(NESTED) == NESTED


def test_references_to_objects() -> None:
    block = one(Reference(PAIR, const=True), {"a": 1, "b": 2})
    target = block.places[0].target
    assert isinstance(target, Block) and target.data.view(np.float64).tolist() == [1, 2]
    assert one(Reference(PAIR), np.zeros(2)).places[0].count == 1
    with pytest.raises(LaunchError, match=r"^p: expected an array of one element, got 2"):
        one(Reference(PAIR), np.zeros(4))
    with pytest.raises(ArgumentTypeError, match=r"^p: expected an array of Pair or of float64, got an object of type"):
        one(Reference(PAIR), {"a": 1, "b": 2})  # nothing would come back


# ---- objects with pointers ------------------------------------------------------------------------------------------


def view(**changes: object) -> dict[str, object]:
    return {"data": np.ones(4), "index": np.zeros(2, "i4"), "count": 4, "scale": 0.5, **changes}


def test_pointers_in_an_object_take_arrays() -> None:
    for value in (view(), SimpleNamespace(**view())):
        block = one(VIEW, value)
        assert [(p.name, p.offset, p.count, p.written) for p in block.places] == [
            ("p.data", 0, 4, True),
            ("p.index", 8, 2, False),
        ]
        assert block.data.view(dtype_of(VIEW))["scale"][0] == 0.5
    null = one(VIEW, view(index=None))
    assert [p.name for p in null.places] == ["p.data"]
    assert null.data.view(dtype_of(VIEW))["index"][0] == 0


def test_an_object_of_addresses_is_taken_as_it_is() -> None:
    data = np.ones(4)
    block = one(VIEW, record(VIEW, data.ctypes.data, 0, 4, 0.5))
    assert block.places == () and block.data.view(np.uint64)[0] == data.ctypes.data


def test_nested_objects_with_pointers() -> None:
    block = one(NESTED, {"a": 1, "b": 2, "view": view()})
    assert [(p.name, p.offset) for p in block.places] == [("p.view.data", 16), ("p.view.index", 24)]


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (view(data=np.ones(4, "f4")), ArgumentTypeError, r"p\.data: expected an array of float64, got one of float32"),
        (view(data=np.ones(8)[::2]), LaunchError, r"p\.data: the array is not contiguous"),
        (view(data=[1.0]), ArgumentTypeError, r"p\.data: expected an array of float64, got an object of type list"),
        (view(index=np.zeros(2)), ArgumentTypeError, r"p\.index: expected an array of int32, got one of float64"),
        (view(count=0.5), ArgumentTypeError, r"p\.count: expected an integer \(int\), got 0\.5"),
        (view(count=None), ArgumentTypeError, r"p\.count: expected a number \(int\), got None"),
        (view(size=4), ArgumentTypeError, r"p: View has no member 'size'; it has data, index, count, scale"),
    ],
)
def test_parts_that_do_not_fit(value: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=r"^" + text):
        one(VIEW, value)


def test_the_adjoint_of_an_object_with_pointers() -> None:
    adjoint = np.zeros(4)
    block = with_adjoint(VIEW, view(), {"data": adjoint, "index": "ignored", "scale": "ignored"})[1].block
    assert [(p.name, p.offset, p.written) for p in block.places] == [("_d_p.data", 0, True)]
    assert one(VIEW, {}, adjoint=True).places == ()
    assert one(VIEW, {"data": None}, adjoint=True).places == ()
    with pytest.raises(LaunchError, match=r"^_d_p\.data: expected 4 elements, as p\.data has, got 3"):
        with_adjoint(VIEW, view(), {"data": np.zeros(3)})
    with pytest.raises(ArgumentTypeError, match=r"^_d_p: View has no member 'dta'"):
        with_adjoint(VIEW, view(), {"dta": np.zeros(4)})
    same = np.ones(4)
    with pytest.raises(LaunchError, match=r"^p\.data and _d_p\.data share memory; an adjoint needs its own"):
        with_adjoint(VIEW, view(data=same), {"data": same})


def test_pointers_of_one_object_are_distinct() -> None:
    two = struct("Two", Field("a", Pointer(DOUBLE), 0), Field("b", Pointer(DOUBLE), 8), size=16, alignment=8)
    same = np.ones(4)
    adjoint, same_adjoint = {"a": np.zeros(4), "b": np.zeros(4)}, np.zeros(4)
    with pytest.raises(LaunchError, match=r"^p\.a and p\.b share memory"):
        with_adjoint(two, {"a": same, "b": same}, adjoint)
    with_adjoint(two, {"a": same, "b": same}, {"a": same_adjoint, "b": same_adjoint}, Options(may_alias=True))


# ---- tables of pointers ---------------------------------------------------------------------------------------------


ROWS = Pointer(Pointer(DOUBLE))


def test_a_table_is_made_of_a_list_of_arrays() -> None:
    rows = [np.ones(2), np.ones(3)]
    for value in (rows, tuple(rows)):
        place = one(ROWS, value).places[0]
        assert isinstance(place.target, Block) and place.count == 2
        assert [(p.name, p.count, p.offset) for p in place.target.places] == [("p[0]", 2, 0), ("p[1]", 3, 8)]
    matrix = one(ROWS, np.ones((3, 4))).places[0]
    assert isinstance(matrix.target, Block) and [p.count for p in matrix.target.places] == [4, 4, 4]


def test_a_table_is_filled_through_all_levels() -> None:
    row = np.arange(3.0)
    block = one(Pointer(ROWS), [[row], [row + 1, None]])

    def address(place: object) -> int:
        target = place.target  # type: ignore[attr-defined]
        return ctypes.addressof(target.fill(address)) if isinstance(target, Block) else target.pointer

    outer = ctypes.c_uint64.from_buffer(block.fill(address)).value
    first, second = (ctypes.c_uint64 * 2).from_address(outer)
    assert ctypes.c_uint64.from_address(first).value == row.ctypes.data
    last = ctypes.c_uint64.from_address(second).value
    assert list((ctypes.c_double * 3).from_address(last)) == [1, 2, 3]
    assert ctypes.c_uint64.from_address(second + 8).value == 0


def test_an_array_of_addresses_is_a_table() -> None:
    addresses = np.array([np.ones(2).ctypes.data], np.uint64)
    place = one(ROWS, addresses).places[0]
    assert isinstance(place.target, ArrayView) and place.target.pointer == addresses.ctypes.data


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([np.ones(2), np.ones(2, "f4")], r"p\[1\]: expected an array of float64, got one of float32"),
        ([np.ones(2), 3], r"p\[1\]: expected an array of float64, got an object of type int"),
        (3, r"p: expected a list of arrays \(double \*\*\), or an array of addresses, got an object of type int"),
        (np.ones(3), r"p\[0\]: expected an array of float64, got an object of type float64"),
    ],
)
def test_what_is_no_table(value: object, text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=r"^" + text):
        one(ROWS, value)


def test_the_adjoint_of_a_table_has_its_shape() -> None:
    rows = [np.ones(2), np.ones(3)]
    with_adjoint(ROWS, rows, [np.zeros(2), np.zeros(3)])
    with pytest.raises(LaunchError, match=r"^_d_p: expected 2 elements, as p has, got 1"):
        with_adjoint(ROWS, rows, [np.zeros(2)])
    with pytest.raises(LaunchError, match=r"^_d_p\[1\]: expected 3 elements, as p\[1\] has, got 2"):
        with_adjoint(ROWS, rows, [np.zeros(2), np.zeros(2)])
    with pytest.raises(ArgumentTypeError, match=r"^_d_p\[1\]: expected an array of float64, got None"):
        with_adjoint(ROWS, rows, [np.zeros(2), None])
    with pytest.raises(LaunchError, match=r"^p\[0\] and p\[1\] share memory"):
        with_adjoint(ROWS, [rows[0], rows[0]], [np.zeros(2), np.zeros(2)])


def test_objects_with_pointers_in_memory() -> None:
    data = Field("data", Pointer(DOUBLE, const=True), 0)
    readers = struct("Reader", data, Field("on", BOOL, 8), size=16, alignment=8)
    values = [{"data": np.ones(2), "on": 1}, {"data": np.ones(3), "on": 0}]
    arguments = with_adjoint(Pointer(readers, const=True), values, [{"data": np.zeros(2)}, {"data": np.zeros(3)}])
    assert [p.name for p in arguments[1].block.all_places()] == ["_d_p", "_d_p[0].data", "_d_p[1].data"]
    with pytest.raises(ArgumentTypeError, match=r"^p: the call may write to these objects of type Reader"):
        one(Pointer(readers), values)
    with pytest.raises(ArgumentTypeError, match=r"^p: the call may write to these objects of type View"):
        one(Pointer(VIEW), [{"data": np.ones(2)}], adjoint=True)
    one(Pointer(readers), np.zeros(2, dtype_of(readers)))
