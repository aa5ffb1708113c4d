"""Objects in memory have a tangent for each of their numbers, wherever those lie."""

from __future__ import annotations

import numpy as np
import pytest

from cladpy.ir.symbols import Space
from cladpy.ir.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    VOID,
    Array,
)
from cladpy.runtime.structs import dtype_of
from tests.check.classes import FLOAT4, MIXED, OUTER, VEC, P, run
from tests.check.handmade import (
    address,
    arrow,
    binary,
    call,
    cast,
    compound,
    deref,
    do,
    function,
    index,
    integer,
    kernel,
    let,
    library,
    member,
    mul,
    oracle,
    parameter,
    put,
    ref,
    struct,
    thread,
    variable,
)


def test_arrays_of_classes_have_a_tangent_for_every_number() -> None:
    p = parameter("p", P(MIXED))
    i = thread()
    body = compound(member(index(ref(p), i), "x"), "*", member(index(ref(p), i), "x"))
    subject = oracle(kernel([p], body))
    dtype = dtype_of(MIXED)
    array = np.zeros(3, dtype)
    array["n"], array["x"], array["f"] = [1, 2, 3], [0.5, -2.0, 3.0], 7.0
    direction = np.zeros(3, dtype)
    direction["x"], direction["f"] = [1.0, 2.0, 4.0], [0.25, 0.5, 1.0]
    result = subject.tangent(1, 3, [array], {"p": direction})
    np.testing.assert_array_equal(result.values["p"]["x"], [0.25, 4.0, 9.0])
    np.testing.assert_array_equal(result.values["p"]["n"], [1, 2, 3])
    assert result.values["p"].dtype == dtype
    assert result.tangents["p"].dtype.names == ("x", "f")
    np.testing.assert_array_equal(result.tangents["p"]["x"].astype(float), [1.0, -8.0, 24.0])
    np.testing.assert_array_equal(result.tangents["p"]["f"].astype(float), [0.25, 0.5, 1.0])
    np.testing.assert_array_equal(result.magnitudes["p"]["x"].astype(float), [1.0, 8.0, 24.0])


@pytest.mark.parametrize("shape", [(2, 4), (8,), (2, 2, 2)])
def test_a_class_of_equal_numbers_is_an_array_of_them(shape: tuple[int, ...]) -> None:
    p = parameter("p", P(FLOAT4))
    subject = oracle(kernel([p], put(member(index(ref(p), 1), "x"), member(index(ref(p), 0), "w"))))
    array, u = np.arange(8, dtype=np.float32).reshape(shape), np.arange(8.0).reshape(shape) * 10
    result = run(subject, [array], {"p": u})
    np.testing.assert_array_equal(result.values["p"].ravel(), [0, 1, 2, 3, 3, 5, 6, 7])
    np.testing.assert_array_equal(result.tangents["p"].astype(float).ravel(), [0, 10, 20, 30, 30, 50, 60, 70])
    assert result.tangents["p"].shape == shape
    assert subject.single_precision


def test_complex_numbers_for_a_class_of_two() -> None:
    p = parameter("p", P(VEC))
    subject = oracle(kernel([p], put(member(index(ref(p), 0), "x"), member(index(ref(p), 0), "y"))))
    result = run(subject, [np.array([1 + 2j, 3 + 4j])], {"p": np.array([1j, 5.0])})
    np.testing.assert_array_equal(result.values["p"], [2 + 2j, 3 + 4j])
    np.testing.assert_array_equal(result.tangents["p"].astype(complex), [1 + 1j, 5])


def test_numbers_in_memory_are_read_as_objects_of_a_class() -> None:
    p, v = parameter("p", P(FLOAT)), variable("v", FLOAT4)
    whole = deref(cast(ref(p), P(FLOAT4)))
    subject = oracle(kernel([p], let(v, whole), put(member(ref(v), "y"), member(ref(v), "z")), put(whole, ref(v))))
    result = run(subject, [np.arange(4, dtype=np.float32)], {"p": np.arange(4.0)})
    np.testing.assert_array_equal(result.tangents["p"].astype(float), [0, 2, 2, 3])


def test_nested_classes_and_arrays_in_them() -> None:
    p = parameter("p", P(OUTER))
    place = index(index(member(index(member(index(ref(p), 1), "in"), 1), "w"), 2), 1)
    subject = oracle(kernel([p], put(place, mul(place, cast(member(index(ref(p), 0), "last"), DOUBLE)))))
    dtype = dtype_of(OUTER)
    array, u = np.zeros(2, dtype), np.zeros(2, dtype)
    array["in"]["w"] = np.arange(24.0).reshape(2, 2, 3, 2)
    array["last"] = 0.5
    u["in"]["w"][1, 1, 2, 1], u["last"] = 1.0, [2.0, 4.0]
    result = run(subject, [array], {"p": u})
    assert result.values["p"]["in"]["w"][1, 1, 2, 1] == 11.5
    expected = np.zeros((2, 2, 3, 2))
    expected[1, 1, 2, 1] = 0.5 + 23 * 2.0
    np.testing.assert_array_equal(result.tangents["p"]["in"]["w"].astype(float), expected)
    np.testing.assert_array_equal(result.tangents["p"]["last"].astype(float), [2.0, 4.0])


def test_a_member_in_the_padding_of_a_base() -> None:
    base = struct("Base", ("d", DOUBLE), ("i", INT))
    derived = struct("Derived", ("base:", base), ("f", FLOAT, 12))
    assert (base.record.size, derived.record.size) == (16, 16)
    p = parameter("p", P(derived))
    to_base = function(
        "twice", VOID, [q := parameter("q", P(base))], compound(arrow(ref(q), "d"), "+", arrow(ref(q), "d"))
    )
    body = [
        do(call(to_base, address(arrow(ref(p), "")))),
        put(arrow(ref(p), "f"), cast(arrow(ref(p), "", "d"), FLOAT)),
    ]
    subject = oracle(kernel([p], *body), to_base)
    array, u = np.zeros(1, dtype_of(derived)), np.zeros(1, dtype_of(derived))
    array["Base"]["d"], array["Base"]["i"], u["Base"]["d"], u["f"] = 1.5, -1, 2.0, 9.0
    result = run(subject, [array], {"p": u})
    assert result.values["p"][0].tolist() == ((3.0, -1), 3.0)
    assert result.tangents["p"][0].tolist() == ((4.0,), 4.0)


def test_packed_classes() -> None:
    packed = struct("Packed", ("c", CHAR), ("d", DOUBLE), ("f", FLOAT), packed=True)
    assert packed.record.size == 13
    v, w, p = variable("v", packed), variable("w", packed), parameter("p", P(packed))
    body = [let(v, index(ref(p), 0)), let(w, ref(v)), put(index(ref(p), 1), ref(w))]
    array, u = np.zeros(2, dtype_of(packed)), np.zeros(2, dtype_of(packed))
    array[0], u[0] = (7, 1.5, 2.5), (0, 3.0, 4.0)
    result = run(oracle(kernel([p], *body)), [array], {"p": u})
    assert result.values["p"][1].tolist() == (7, 1.5, 2.5)
    assert result.tangents["p"][1].tolist() == (3.0, 4.0)


def test_shared_memory_of_classes() -> None:
    p, tile = parameter("p", P(VEC)), variable("tile", Array(VEC, 2), Space.SHARED)
    sync = library("__syncthreads", VOID)
    other = index(ref(tile), binary("-", integer(1), thread()))
    body = [
        let(tile),
        put(index(ref(tile), thread()), index(ref(p), thread())),
        do(call(sync)),
        put(index(ref(p), thread()), other),
    ]
    array, u = np.array([(1.0, 2.0), (3.0, 4.0)]), np.array([(10.0, 20.0), (30.0, 40.0)])
    result = oracle(kernel([p], *body)).tangent(1, 2, [array], {"p": u})
    np.testing.assert_array_equal(result.values["p"], array[::-1])
    np.testing.assert_array_equal(result.tangents["p"].astype(float), u[::-1])
