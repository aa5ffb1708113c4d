"""What a check makes of class arguments: private copies, their adjoints' form, and the numbers in both."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cladpy.check.arguments import contents, floats, has_floats, passed, private_copies, shadow_of
from cladpy.diagnostics import NOWHERE, ArgumentTypeError
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import DOUBLE, FLOAT, INT, Array, Field, Opaque, Pointer, Reference, Type
from cladpy.runtime.structs import dtype_of
from tests.runtime.classes import BODY, FLOAT4, NESTED, PAIR, VIEW, struct

ROWS = Pointer(Pointer(DOUBLE))
TABLE = struct("Table", Field("rows", Array(Pointer(DOUBLE), 2), 0), Field("n", INT, 16), size=24, alignment=8)


def copied(type: Type, value: object) -> Any:
    return private_copies([Symbol("p", type, Role.PARAMETER, NOWHERE)], [value])[0]


def view(**changes: object) -> dict[str, Any]:
    return {"data": np.arange(4.0), "index": np.zeros(2, "i4"), "count": 4, "scale": 0.5, **changes}


def numbers(type: Type, shadow: Any, *others: Any) -> list[list[Any]]:
    return [[a.ravel().tolist() for a in arrays] for arrays in floats(type, shadow, *others)]


def test_copies_are_private_and_in_one_form() -> None:
    assert copied(DOUBLE, 2).tolist() == [2.0]
    assert copied(PAIR, (1, 2)).dtype == dtype_of(PAIR)
    assert copied(PAIR, SimpleNamespace(a=1, b=2))[0].item() == (1.0, 2.0)
    given = view()
    copy = copied(VIEW, given)
    given["data"][0] = 9
    assert copy["data"].tolist() == [0, 1, 2, 3] and copy["count"].tolist() == [4]
    assert copied(VIEW, view(index=None))["index"] is None
    assert copied(VIEW, SimpleNamespace(**view()))["scale"].tolist() == [0.5]
    nested = copied(NESTED, {"a": 1, "b": 2, "view": view()})
    assert nested["Pair"][0].item() == (1.0, 2.0) and nested["view"]["data"].shape == (4,)
    assert [r.tolist() for r in copied(ROWS, [np.ones(1), np.zeros(2)])] == [[1], [0, 0]]
    assert copied(Pointer(FLOAT4), np.zeros((3, 2), "c8")).shape == (3, 2, 2)
    own_names = np.zeros(3, [("both", "f8", (2,))])
    own_names["both"][1] = 4, 5
    objects = copied(Pointer(PAIR), own_names)
    assert objects.dtype == dtype_of(PAIR) and objects[1].item() == (4.0, 5.0)


def test_what_is_passed_again_is_what_the_runtime_takes() -> None:
    assert passed(DOUBLE, copied(DOUBLE, 2)) == 2.0
    assert isinstance(passed(PAIR, copied(PAIR, (1, 2))), np.void)
    assert passed(Reference(DOUBLE), copied(Reference(DOUBLE), np.ones(1))).shape == (1,)
    again = passed(NESTED, copied(NESTED, {"a": 1, "b": 2, "view": view()}))
    assert again["view"]["count"] == 4 and again["view"]["data"].shape == (4,)


def test_the_adjoint_of_an_object_with_pointers_is_what_they_lead_to_and_the_numbers_beside_them() -> None:
    shadow = shadow_of(VIEW, copied(VIEW, view()))
    assert list(shadow) == ["data", "scale"] and shadow["data"].tolist() == [0] * 4
    assert shadow["scale"].tolist() == [0]
    nested = shadow_of(NESTED, copied(NESTED, {"a": 1, "b": 2, "view": view()}))
    assert list(nested) == ["Pair", "view"] and list(nested["view"]) == ["data", "scale"]
    table = shadow_of(TABLE, copied(TABLE, {"rows": [np.ones(2), np.ones(3)], "n": 1}))
    assert [r.size for r in table["rows"]] == [2, 3] and list(table) == ["rows"]
    assert shadow_of(INT, copied(INT, 1)) is None


def test_numbers_of_objects_are_views_in_step() -> None:
    bodies = np.zeros(2, dtype_of(BODY))
    bodies["position"] = [[1, 2, 3], [4, 5, 6]]
    bodies["id"] = 9
    type = Pointer(BODY)
    shadow = shadow_of(type, copied(type, bodies))
    assert numbers(type, shadow, bodies) == [[[0, 0], [1, 4]], [[0, 0], [2, 5]], [[0, 0], [3, 6]]]
    for (part,) in floats(type, shadow):
        part[...] = 7
    assert (shadow["position"] == 7).all() and (shadow["id"] == 0).all()
    wide = np.zeros(2, [("position", np.longdouble, 3)])
    assert numbers(type, shadow, wide)[0] == [[7, 7], [0, 0]]


def test_a_number_with_two_names_counts_once() -> None:
    xy = struct("", Field("x", FLOAT, 0), Field("y", FLOAT, 4), size=8)
    union = struct("U", Field("", xy, 0), Field("v", Array(FLOAT, 2), 0), size=8, is_union=True)
    value = np.array([((1.0, 2.0))] , "2f4").view(dtype_of(union)).reshape(1)  # fmt: skip
    assert numbers(union, value) == [[[1.0]], [[2.0]]]


def test_numbers_of_members_and_tables() -> None:
    tree = copied(VIEW, view())
    assert numbers(VIEW, shadow_of(VIEW, tree), tree) == [[[0, 0, 0, 0], [0, 1, 2, 3]], [[0], [0.5]]]
    rows = copied(ROWS, [np.ones(1), np.full(2, 2.0)])
    assert numbers(ROWS, shadow_of(ROWS, rows), rows) == [[[0], [1]], [[0, 0], [2, 2]]]


def test_contents_have_names() -> None:
    named = {name: array.ravel().tolist() for name, array in contents(copied(VIEW, view()), "v")}
    assert named == {"v.data": [0, 1, 2, 3], "v.index": [0, 0], "v.count": [4], "v.scale": [0.5]}
    assert [name for name, _ in contents(np.zeros(1, dtype_of(BODY)), "b")] == ["b.alive", "b.position", "b.id"]


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        (DOUBLE, True), (INT, False), (PAIR, True), (VIEW, True), (ROWS, True), (Pointer(Pointer(INT)), False),
        (struct("Index", Field("i", Pointer(INT), 0), Field("x", DOUBLE, 8), size=16), True),
    ],
)  # fmt: skip
def test_types_with_derivatives(type: Type, expected: bool) -> None:
    assert has_floats(type) is expected


@pytest.mark.parametrize(
    ("type", "value", "text"),
    [
        (PAIR, {"a": 1}, r"p\.b: no value is given"),
        (VIEW, view(data=np.zeros(2, "f4")), r"p\.data: expected an array of float64"),
        (ROWS, np.float64(3), "p: double \\*\\* takes a list"),
        (Pointer(BODY), np.zeros(3), "p: expected an array of Body, got one of float64"),
        (Opaque("cudaStream_t"), 1, "a check cannot make values of type 'cudaStream_t'"),
    ],
)
def test_what_does_not_fit(type: Type, value: object, text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=text):
        copied(type, value)
