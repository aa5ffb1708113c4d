"""What a caller may give for objects: structured arrays, mappings, lists of rows, nothing."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cladpy.diagnostics import NOWHERE, ArgumentTypeError
from cladpy.ir import surface as s
from cladpy.ir.types import (
    DOUBLE,
    INT,
    VOID,
    Reference,
)
from cladpy.runtime.structs import dtype_of
from tests.check.classes import MIXED, VEC, VIEW, P, run
from tests.check.handmade import (
    binary,
    function,
    give,
    index,
    kernel,
    member,
    mul,
    num,
    oracle,
    parameter,
    put,
    ref,
    repeat,
    values,
    variable,
    when,
)


class CVec(ctypes.Structure):
    _fields_ = (("x", ctypes.c_double), ("y", ctypes.c_double))


@pytest.mark.parametrize(
    "value",
    [
        np.array((3.0, 4.0), dtype_of(VEC))[()],
        np.array((3.0, 4.0), dtype_of(VEC)),
        CVec(3.0, 4.0),
        [3.0, 4.0],
        3.0 + 4.0j,
        {"x": 3.0, "y": 4.0},
        SimpleNamespace(x=3.0, y=4.0),
    ],
    ids=["void", "array", "ctypes", "list", "complex", "dict", "object"],
)
def test_an_object_by_value_in_every_form(value: Any) -> None:
    v = parameter("v", VEC)
    body = [put(member(ref(v), "x"), mul(member(ref(v), "x"), member(ref(v), "y"))), give(member(ref(v), "x"))]
    subject = oracle(function("f", DOUBLE, [v], *body))
    for tangent in ({"x": 1.0, "y": 10.0}, np.array((1.0, 10.0), dtype_of(VEC))):
        if isinstance(tangent, dict) and not isinstance(value, (dict, SimpleNamespace)):
            continue
        result = run(subject, [value], {"v": tangent})
        assert (result.result, result.result_tangent) == (12.0, 4.0 + 30.0)
        tangents = result.tangents["v"]
        if isinstance(tangents, dict):
            assert (tangents["x"], tangents["y"]) == (1.0, 10.0)


def test_an_object_that_holds_pointers() -> None:
    v, i = parameter("v", VIEW), variable("i", INT)
    place = index(member(ref(v), "data"), index(member(ref(v), "index"), ref(i)))
    body = repeat(i, 2, put(place, mul(place, member(ref(v), "scale"))))
    data = np.array([1.0, 2.0, 3.0])
    value = {"data": data, "scale": 0.5, "index": np.array([2, 0], np.int32), "n": 3}
    result = run(oracle(kernel([v], body)), [value], {"v": {"data": np.array([1.0, 1.0, 4.0]), "scale": 10.0}})
    np.testing.assert_array_equal(result.values["v"]["data"], [0.5, 2.0, 1.5])
    np.testing.assert_array_equal(data, [1.0, 2.0, 3.0])
    assert set(result.tangents["v"]) == {"data", "scale"}
    np.testing.assert_array_equal(result.tangents["v"]["data"].astype(float), [10.5, 1.0, 32.0])
    assert result.tangents["v"]["scale"] == 10.0


def test_null_pointers_in_an_object() -> None:
    v = parameter("v", VIEW)
    null = s.Literal(0, P(INT), NOWHERE)
    body = when(binary("==", member(ref(v), "index"), null), put(index(member(ref(v), "data"), 0), num(2)))
    value = {"data": np.ones(1), "scale": 0.5, "index": None, "n": 3}
    result = run(oracle(kernel([v], body)), [value], {"v": {"data": np.ones(1)}})
    assert result.values["v"]["data"] == 2.0
    assert result.tangents["v"]["data"] == 0.0


def test_pointers_to_pointers() -> None:
    rows = parameter("rows", P(P(DOUBLE)))
    target, source = index(index(ref(rows), 1), 0), index(index(ref(rows), 0), 2)
    subject = oracle(kernel([rows], put(target, mul(source, source))))
    result = run(subject, [[np.array([1.0, 2.0, 3.0]), np.zeros(1)]], {"rows": [np.array([0.0, 0.0, 5.0]), None]})
    assert result.values["rows"][1] == 9.0
    assert result.tangents["rows"][1] == 30.0


def test_objects_in_memory_that_hold_pointers() -> None:
    p = parameter("p", P(VIEW))
    target, source = member(index(ref(p), 1), "data"), member(index(ref(p), 0), "data")
    product = mul(index(source, 1), member(index(ref(p), 1), "scale"))
    first = {"data": np.array([1.0, 3.0]), "scale": 1.0, "index": None, "n": 0}
    second = {"data": np.zeros(1), "scale": 2.0, "index": None, "n": 0}
    u = [{"data": np.array([0.0, 1.0])}, {"scale": 10.0}]
    result = run(oracle(kernel([p], put(index(target, 0), product))), [[first, second]], {"p": u})
    assert result.values["p"][1]["data"] == 6.0
    assert result.tangents["p"][1]["data"] == 2.0 + 30.0
    assert result.tangents["p"][1]["scale"] == 10.0


def test_references_to_objects_are_written() -> None:
    v = parameter("v", Reference(VEC))
    subject = oracle(function("f", VOID, [v], put(member(ref(v), "x"), mul(member(ref(v), "y"), num(3)))))
    result = run(subject, [{"x": 1.0, "y": 2.0}], {"v": {"y": 1.0}})
    assert result.values["v"]["x"] == 6.0
    assert result.tangents["v"]["x"] == 3.0


def test_a_result_of_class_type() -> None:
    v = parameter("v", VEC)
    swapped = values(VEC, member(ref(v), "y"), mul(member(ref(v), "x"), member(ref(v), "x")))
    result = run(oracle(function("f", VEC, [v], give(swapped))), [[3.0, 4.0]], {"v": [1.0, 10.0]})
    assert result.result.tolist() == (4.0, 9.0)
    assert result.result_tangent.tolist() == (10.0, 6.0)


def test_arguments_that_do_not_fit() -> None:
    p, v = parameter("p", P(MIXED)), parameter("v", VIEW)
    subject = oracle(kernel([p], put(member(index(ref(p), 0), "x"), num(1))))
    with pytest.raises(ArgumentTypeError, match=r"'p' has dtype .* not that of Mixed"):
        run(subject, [np.zeros(1, dtype_of(VEC))], {})
    with pytest.raises(ArgumentTypeError, match=r"'p' has dtype float64 .* expected objects of Mixed"):
        run(subject, [np.zeros(3)], {})
    with pytest.raises(ArgumentTypeError, match="the tangents of 'p'"):
        run(subject, [np.zeros(1, dtype_of(MIXED))], {"p": np.zeros(5)})
    subject = oracle(kernel([v], put(index(member(ref(v), "data"), 0), num(1))))
    good = {"data": np.zeros(1), "scale": 1.0, "index": None, "n": 0}
    with pytest.raises(ArgumentTypeError, match=r"'v.data' has dtype float32, expected float64"):
        run(subject, [good | {"data": np.zeros(1, np.float32)}], {})
    with pytest.raises(ArgumentTypeError, match="'v': View has no field 'date'"):
        run(subject, [good | {"date": 1}], {})
    with pytest.raises(ArgumentTypeError, match="'v': View has a field 'scale', which is not given"):
        run(subject, [{"data": np.zeros(1), "index": None, "n": 0}], {})
