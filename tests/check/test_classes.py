"""Forward mode of classes, on surface programs made by hand, against derivatives worked out by hand."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cladpy.check.classes import bit_positions, cell_offsets, float_offsets
from cladpy.check.oracle import Oracle, TangentResult
from cladpy.diagnostics import NOWHERE, ArgumentTypeError, DifferentiationError
from cladpy.ir import surface as s
from cladpy.ir.symbols import Role, Space, Symbol
from cladpy.ir.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    UINT,
    VOID,
    Array,
    Pointer,
    Record,
    Reference,
    Struct,
)
from cladpy.runtime.structs import dtype_of
from tests.check.handmade import (
    add,
    address,
    arrow,
    assignment,
    binary,
    call,
    cast,
    choose,
    comma,
    compound,
    construct,
    define,
    deref,
    do,
    function,
    give,
    increment,
    index,
    integer,
    kernel,
    let,
    library,
    member,
    method,
    mul,
    num,
    oracle,
    parameter,
    put,
    ref,
    repeat,
    struct,
    temporary,
    this,
    thread,
    values,
    variable,
    when,
)

P = Pointer
VEC = struct("Vec", ("x", DOUBLE), ("y", DOUBLE))
MIXED = struct("Mixed", ("n", INT), ("x", DOUBLE), ("f", FLOAT))


def run(subject: Oracle, args: list[Any], tangents: dict[str, Any]) -> TangentResult:
    """One run of a function, or of a kernel with one thread."""
    shape = 1 if subject.function.symbol.kind.value == "__global__" else None
    return subject.tangent(shape, shape, args, tangents)


def at(x: float, y: float, dx: float, dy: float, subject: Oracle) -> tuple[float, float]:
    """Value and tangent of a function of two numbers."""
    result = run(subject, [x, y], {"x": dx, "y": dy})
    return result.result, result.result_tangent


X, Y = parameter("x", DOUBLE), parameter("y", DOUBLE)


def f(*body: s.Stmt) -> s.Function:
    """`double f(double x, double y)`; X and Y are its parameters."""
    return function("f", DOUBLE, [X, Y], *body)


# ---- memory ---------------------------------------------------------------------------------------------------------


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


FLOAT4 = struct("float4", *((n, FLOAT) for n in "xyzw"))


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


INNER = struct("Inner", ("c", CHAR), ("w", Array(Array(DOUBLE, 2), 3)))
OUTER = struct("Outer", ("n", INT), ("in", Array(INNER, 2)), ("last", FLOAT))


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


# ---- arguments ------------------------------------------------------------------------------------------------------


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


VIEW = struct("View", ("data", P(DOUBLE)), ("scale", DOUBLE), ("index", P(INT)), ("n", INT))


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


# ---- values ---------------------------------------------------------------------------------------------------------


def test_copies_are_independent_and_carry_tangents() -> None:
    a, b = variable("a", VEC), variable("b", VEC)
    body = [
        let(a, values(VEC, ref(X), ref(Y))),
        let(b, ref(a)),
        put(member(ref(a), "x"), num(100)),
        put(ref(a), ref(a)),  # to itself
        give(add(mul(member(ref(b), "x"), member(ref(b), "y")), member(ref(a), "x"))),
    ]
    assert at(3.0, 4.0, 1.0, 10.0, oracle(f(*body))) == (112.0, 34.0)


def test_an_assigned_object_loses_what_it_had() -> None:
    a = variable("a", VEC)
    body = [
        let(a, values(VEC, ref(X), ref(Y))),
        put(ref(a), values(VEC, num(2), member(ref(a), "x"))),
        give(mul(member(ref(a), "x"), member(ref(a), "y"))),
    ]
    assert at(3.0, 4.0, 1.0, 10.0, oracle(f(*body))) == (6.0, 2.0)


def test_lists_leave_the_rest_zero() -> None:
    a = variable("a", OUTER)
    inner = values(
        INNER, s.Literal(1, CHAR, NOWHERE), values(INNER.fields[1].type, values(Array(DOUBLE, 2), num(5), ref(X)))
    )
    whole = values(OUTER, integer(7), values(Array(INNER, 2), inner))
    first = index(index(member(index(member(ref(a), "in"), 0), "w"), 0), 1)
    rest = index(index(member(index(member(ref(a), "in"), 1), "w"), 0), 1)
    body = [let(a, whole), give(add(mul(first, first), add(rest, cast(member(ref(a), "n"), DOUBLE))))]
    assert at(3.0, 0.0, 1.0, 0.0, oracle(f(*body))) == (16.0, 6.0)


def test_storage_that_is_used_again_has_no_old_tangents() -> None:
    i, v, total = variable("i", INT), variable("v", VEC), variable("total", DOUBLE)
    first = binary("==", ref(i), integer(0))
    loop = repeat(
        i,
        2,
        let(v),
        when(first, put(member(ref(v), "x"), ref(X))),
        when(binary("==", ref(i), integer(1)), put(member(ref(v), "y"), ref(Y))),
        compound(ref(total), "+", choose(first, member(ref(v), "x"), member(ref(v), "y"))),
        when(binary("==", ref(i), integer(1)), compound(ref(total), "+", mul(num(0), member(ref(v), "x")))),
    )
    result = run(oracle(f(let(total, num(0)), loop, give(ref(total)))), [3.0, 4.0], {"x": 1.0, "y": 10.0})
    assert (result.result, result.result_tangent) == (7.0, 11.0)
    # what was left of the first life of v.x would count as a contribution, though times zero
    w, q = variable("w", DOUBLE), parameter("q", DOUBLE)
    first = [let(v), let(w, member(ref(v), "x")), put(member(ref(v), "x"), ref(q)), give(ref(w))]
    inner = function("g", DOUBLE, [q], *first)
    twice = f(give(comma(call(inner, ref(X)), call(inner, ref(X)))))
    result = run(oracle(twice, inner), [3.0, 4.0], {"x": 1.0})
    assert (result.result_tangent, result.result_magnitude) == (0.0, 0.0)


def test_a_class_chosen_by_a_condition() -> None:
    a, b, low = variable("a", VEC), variable("b", VEC), variable("low", P(VEC))
    test = binary("<", ref(X), ref(Y))
    body = [
        let(a, choose(test, values(VEC, ref(X), num(1)), values(VEC, ref(Y), num(2)))),
        let(b, values(VEC, num(0), ref(Y))),
        put(member(choose(test, ref(a), ref(b)), "x"), mul(member(ref(a), "x"), ref(Y))),
        let(low, choose(test, address(ref(b)), address(ref(a)))),
        compound(arrow(ref(low), "y"), "*", num(3)),
        give(add(member(ref(a), "x"), member(ref(b), "y"))),
    ]
    assert at(3.0, 4.0, 1.0, 10.0, oracle(f(*body))) == (24.0, 4.0 + 30.0 + 30.0)
    assert at(4.0, 3.0, 1.0, 10.0, oracle(f(*body))) == (6.0, 20.0)


def test_effects_in_values_of_classes() -> None:
    a, b = variable("a", VEC), variable("b", VEC)
    body = [
        let(a, values(VEC, ref(X), ref(Y))),
        let(b),
        put(ref(b), comma(compound_expr(member(ref(a), "x"), ref(Y)), ref(a))),
        give(member(assignment(ref(a), ref(b)), "x")),
    ]
    assert at(3.0, 4.0, 1.0, 10.0, oracle(f(*body))) == (12.0, 34.0)


def compound_expr(target: s.Expr, value: s.Expr) -> s.Expr:
    return s.CompoundAssign(s.BinaryOp.MUL, target, value, DOUBLE, DOUBLE, NOWHERE)


def test_local_arrays_of_objects_and_pointers_into_them() -> None:
    a, p = variable("a", Array(VEC, 3)), variable("p", P(VEC))
    body = [
        let(a, values(Array(VEC, 3), values(VEC, ref(X)), values(VEC, num(2), ref(Y)))),
        let(p, cast(ref(a), P(VEC))),
        compound(ref(p), "+", integer(1), P(VEC)),
        put(member(index(ref(p), 1), "x"), mul(arrow(ref(p), "y"), member(index(ref(p), integer(-1)), "x"))),
        give(add(member(index(ref(a), 2), "x"), member(index(ref(a), 2), "y"))),
    ]
    assert at(3.0, 4.0, 1.0, 10.0, oracle(f(*body))) == (12.0, 34.0)


def test_arrays_of_pointers() -> None:
    x, y, table = variable("a", DOUBLE), variable("b", VEC), variable("t", Array(P(DOUBLE), 2))
    body = [
        let(x, ref(X)),
        let(y, values(VEC, num(0), ref(Y))),
        let(table, values(Array(P(DOUBLE), 2), address(ref(x)), address(member(ref(y), "y")))),
        compound(deref(index(ref(table), 0)), "*", deref(index(ref(table), 1))),
        give(ref(x)),
    ]
    assert at(3.0, 4.0, 1.0, 10.0, oracle(f(*body))) == (12.0, 34.0)


def test_a_class_that_points_to_itself() -> None:
    node = Struct("Node", "c:Node", Record())
    define(node, ("value", DOUBLE), ("next", P(node)))
    a, b, p, total = variable("a", node), variable("b", node), variable("p", P(node)), variable("total", DOUBLE)
    null = s.Literal(0, P(node), NOWHERE)
    step = s.Block((compound(ref(total), "+", mul(arrow(ref(p), "value"), arrow(ref(p), "value"))),
                    put(ref(p), arrow(ref(p), "next"))), NOWHERE)  # fmt: skip
    body = [
        let(b, values(node, ref(Y), null)),
        let(a, values(node, ref(X), address(ref(b)))),
        let(total, num(0)),
        let(p, address(ref(a))),
        s.While(binary("!=", ref(p), null), step, NOWHERE),
        give(ref(total)),
    ]
    assert at(3.0, 4.0, 1.0, 10.0, oracle(f(*body))) == (25.0, 6.0 + 80.0)


# ---- functions ------------------------------------------------------------------------------------------------------


def scale_method() -> s.Function:
    """`Vec &Vec::scale(double by) { x *= by; y *= by; return *this; }`"""
    me, by = this(VEC), parameter("by", DOUBLE)
    body = [compound(arrow(ref(me), n), "*", ref(by)) for n in ("x", "y")]
    return method("scale", VEC, Reference(VEC), [me, by], *body, give(deref(ref(me))))


def test_methods_change_their_object_and_return_it() -> None:
    a, scale = variable("a", VEC), scale_method()
    twice = call(scale, address(call(scale, address(ref(a)), ref(Y))), num(2))
    body = [let(a, values(VEC, ref(X), num(1))), compound(member(twice, "x"), "+", num(1)), give(member(ref(a), "x"))]
    assert at(3.0, 4.0, 1.0, 10.0, oracle(f(*body), scale)) == (25.0, 8.0 + 60.0)


def test_methods_of_temporaries() -> None:
    scale, i, total = scale_method(), variable("i", INT), variable("total", DOUBLE)
    made = temporary(values(VEC, ref(X), ref(total)))
    body = [
        let(total, num(1)),
        repeat(i, 3, put(ref(total), member(call(scale, address(made), ref(Y)), "y"))),
        give(ref(total)),
    ]
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body), scale)) == (8.0, 3 * 4 * 10.0)


def test_references_bound_to_temporaries_live_on() -> None:
    make = function("make", VEC, [q := parameter("q", DOUBLE)], give(values(VEC, ref(q), mul(ref(q), ref(q)))))
    r, t = variable("r", Reference(VEC, const=True)), variable("t", Reference(DOUBLE, const=True))
    other = variable("other", VEC)
    body = [
        let(r, temporary(call(make, ref(X)))),
        let(t, member(temporary(call(make, ref(Y))), "y")),
        let(other, call(make, num(5))),
        give(add(mul(member(ref(r), "y"), ref(t)), mul(num(0), member(ref(other), "x")))),
    ]
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body), make)) == (36.0, 6 * 4.0 + 9 * 40.0)


def test_parameters_and_results_by_value() -> None:
    v, w = parameter("v", VEC), parameter("w", VEC)
    plus = function("operator+", VEC, [v, w],
                    put(member(ref(v), "x"), add(member(ref(v), "x"), member(ref(w), "x"))), give(ref(v)))  # fmt: skip
    a = variable("a", VEC)
    body = [
        let(a, values(VEC, ref(X), ref(Y))),
        give(mul(member(call(plus, ref(a), ref(a)), "x"), member(ref(a), "x"))),
    ]
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body), plus)) == (18.0, 12.0)


def test_recursion_has_objects_of_its_own() -> None:
    v, n = parameter("v", VEC), parameter("n", INT)
    symbol = function("power", VEC, [v, n]).symbol
    inner = member(call(symbol, values(VEC, mul(member(ref(v), "x"), member(ref(v), "y")), member(ref(v), "y")),
                        binary("-", ref(n), integer(1))), "x")  # fmt: skip
    body = s.Block(
        (
            when(binary("==", ref(n), integer(0)), give(ref(v))),
            give(values(VEC, add(inner, member(ref(v), "x")), num(0))),
        ),
        NOWHERE,
    )
    power = s.Function(symbol, (v, n), body, NOWHERE)
    # x + x y + x y^2
    entry = f(give(member(call(power, values(VEC, ref(X), ref(Y)), integer(2)), "x")))
    assert at(3.0, 2.0, 1.0, 10.0, oracle(entry, power)) == (21.0, 7.0 + 10.0 * (3 + 12))


def test_arguments_are_evaluated_left_to_right() -> None:
    i, g = variable("i", INT), parameter("a", INT)
    pair = function(
        "pair", DOUBLE, [g, h := parameter("b", INT)], give(cast(binary("-", ref(g), mul(integer(10), ref(h))), DOUBLE))
    )
    v, me = parameter("v", VEC), parameter("t", P(VEC))
    after = function(
        "after", DOUBLE, [v, q := parameter("q", Reference(DOUBLE))], give(add(member(ref(v), "x"), ref(q)))
    )
    change = function(
        "change", Reference(DOUBLE), [me], compound(arrow(ref(me), "x"), "*", num(2)), give(arrow(ref(me), "x"))
    )
    a = variable("a", VEC)
    body = [
        let(i, integer(1)),
        let(a, values(VEC, ref(X), ref(Y))),
        give(add(call(after, ref(a), call(change, address(ref(a)))), call(pair, ref(i), increment(ref(i))))),
    ]
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body), pair, after, change)) == (3.0 + 6.0 + 1.0 - 10.0, 3.0)


# ---- constructors, closures, functors -------------------------------------------------------------------------------


def test_constructors_run_on_the_object_itself() -> None:
    node = Struct("Self", "c:Self", Record())
    define(node, ("a", Array(DOUBLE, 3)), ("at", P(DOUBLE)), ("k", DOUBLE))
    me, start = this(node), parameter("start", DOUBLE)
    constructor = method("Self", node, VOID, [me, start],
        put(arrow(ref(me), "a"), values(Array(DOUBLE, 3), ref(start), num(2))),
        put(arrow(ref(me), "at"), address(index(arrow(ref(me), "a"), 1))),
        put(arrow(ref(me), "k"), num(4)),
        compound(deref(arrow(ref(me), "at")), "*", ref(start)))  # fmt: skip
    v = variable("v", node)
    body = [
        let(v, construct(constructor, ref(X))),
        compound(deref(member(ref(v), "at")), "*", ref(Y)),  # into v, not into what v was copied from
        give(mul(index(member(ref(v), "a"), 1), member(ref(v), "k"))),
    ]
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body), constructor)) == (48.0, 8 * (1 * 2.0 + 3 * 10.0))


def vec_constructor() -> s.Function:
    me, q, r = this(VEC), parameter("q", DOUBLE), parameter("r", Reference(DOUBLE))
    body = [put(arrow(ref(me), "x"), ref(q)), put(arrow(ref(me), "y"), ref(r)), compound(ref(r), "*", num(2))]
    return method("Vec", VEC, VOID, [me, q, r], *body)


def test_constructed_values_in_lists_calls_and_returns() -> None:
    make, v = vec_constructor(), parameter("v", VEC)
    same = function(
        "same", VEC, [v, r := parameter("r", Reference(DOUBLE))], give(construct(make, member(ref(v), "x"), ref(r)))
    )
    a, z = variable("a", Array(VEC, 2)), variable("z", DOUBLE)
    body = [
        let(z, ref(Y)),
        let(
            a,
            values(Array(VEC, 2), construct(make, ref(X), ref(z)), call(same, construct(make, ref(z), ref(z)), ref(z))),
        ),
        # a = {{x, y}, {2y, 4y}}, z = 8y
        give(
            add(
                mul(member(index(ref(a), 0), "y"), member(index(ref(a), 1), "y")),
                mul(member(index(ref(a), 1), "x"), ref(z)),
            )
        ),
    ]
    # 4 y^2 + 16 y^2
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body), make, same)) == (80.0, 800.0)


def test_closures_capture_by_value_and_by_reference() -> None:
    closure = struct("lambda", ("by_value", DOUBLE), ("by_reference", Reference(DOUBLE)), ("table", Array(DOUBLE, 2)))
    closure.record.is_lambda = True
    me, q = this(closure), parameter("q", DOUBLE)
    operator = method("operator()", closure, DOUBLE, [me, q],
        compound(arrow(ref(me), "by_reference"), "+", mul(arrow(ref(me), "by_value"), ref(q))),
        give(index(arrow(ref(me), "table"), 1)))  # fmt: skip
    apply = function("apply", DOUBLE, [g := parameter("g", closure), q], give(call(operator, address(ref(g)), ref(q))))
    z, t, c = variable("z", DOUBLE), variable("t", Array(DOUBLE, 2)), variable("c", closure)
    body = [
        let(z, ref(Y)),
        let(t, values(Array(DOUBLE, 2), num(0), ref(X))),
        let(c, values(closure, ref(X), ref(z), ref(t))),
        put(index(ref(t), 1), num(0)),
        compound(ref(z), "*", num(2)),
        give(add(mul(call(apply, ref(c), num(5)), num(100)), ref(z))),
    ]
    # 100 x + (2 y + 5 x)
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body), operator, apply)) == (300.0 + 19.0, 105.0 + 20.0)


def test_functors_without_members_and_empty_bases() -> None:
    empty = struct("Square")
    derived = struct("Wrapper", ("base:", empty), ("x", DOUBLE, 0))
    assert (empty.record.size, derived.record.size) == (1, 8)
    me, q = this(empty), parameter("q", DOUBLE)
    square = method("operator()", empty, DOUBLE, [me, q], give(mul(ref(q), ref(q))))
    w = variable("w", derived)
    body = [
        let(w, values(derived, values(empty), ref(X))),
        give(
            add(
                call(square, address(member(ref(w), "")), member(ref(w), "x")),
                call(square, address(temporary(values(empty))), ref(Y)),
            )
        ),
    ]
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body), square)) == (13.0, 6.0 + 40.0)


def test_reference_members_of_arguments_by_value() -> None:
    holder = struct("Holder", ("r", Reference(VEC)))
    touch = function("touch", VOID, [h := parameter("h", holder)], compound(member(ref(h), "r", "x"), "*", num(3)))
    a = variable("a", VEC)
    body = [let(a, values(VEC, ref(X))), do(call(touch, values(holder, ref(a)))), give(member(ref(a), "x"))]
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body), touch)) == (9.0, 3.0)


# ---- unions and bit-fields ------------------------------------------------------------------------------------------


def test_members_of_unnamed_unions() -> None:
    either = struct("", ("d", DOUBLE), ("v", Array(FLOAT, 2)), ("n", INT), union=True)
    owner = struct("Owner", ("kind", INT), ("", either))
    assert float_offsets(owner) == (8, 12)
    assert cell_offsets(owner) == (0, 8, 12)
    a, b = variable("a", owner), variable("b", owner)
    body = [
        let(a),
        put(member(ref(a), "kind"), integer(1)),
        put(member(ref(a), "", "d"), ref(X)),
        let(b, ref(a)),
        put(index(member(ref(a), "", "v"), 1), cast(ref(Y), FLOAT)),
        give(add(member(ref(b), "", "d"), cast(index(member(ref(a), "", "v"), 1), DOUBLE))),
    ]
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body))) == (5.0, 11.0)


def test_bits_that_are_overwritten_have_no_tangent() -> None:
    """The first guess of a fast reciprocal square root, by a union and by pointers: a function that has steps only."""
    either = struct("Either", ("f", FLOAT), ("i", INT), union=True)
    u, a, i = variable("u", either), variable("a", FLOAT), variable("i", INT)
    magic = integer(0x5F3759DF)
    bits = member(ref(u), "i")
    body = [
        let(u),
        put(member(ref(u), "f"), cast(ref(X), FLOAT)),
        put(bits, binary("-", magic, binary(">>", bits, integer(1)))),
        let(a, cast(ref(Y), FLOAT)),
        let(i, deref(cast(address(ref(a)), P(INT)))),
        put(deref(cast(address(ref(a)), P(INT))), binary("-", magic, binary(">>", ref(i), integer(1)))),
        give(cast(add(member(ref(u), "f"), ref(a)), DOUBLE)),
    ]
    value, tangent = at(4.0, 4.0, 1.0, 1.0, oracle(f(*body)))
    assert abs(value / 2 - 0.5) < 0.02
    assert tangent == 0.0


def test_numbers_moved_as_integers_keep_their_tangents() -> None:
    int4 = struct("int4", *((n, INT) for n in "xyzw"))
    p = parameter("p", P(FLOAT))
    whole = cast(ref(p), P(int4))
    subject = oracle(kernel([p], put(index(whole, 1), index(whole, 0))))
    result = run(subject, [np.arange(8, dtype=np.float32)], {"p": np.arange(8.0)})
    np.testing.assert_array_equal(result.values["p"], [0, 1, 2, 3, 0, 1, 2, 3])
    np.testing.assert_array_equal(result.tangents["p"].astype(float), [0, 1, 2, 3, 0, 1, 2, 3])


FLAGS = struct("Flags", ("a", UINT, 0, 3), ("b", INT, 0, 7), ("c", UINT, 1, 20), ("d", UINT, 4, 5), ("x", DOUBLE))


class CFlags(ctypes.Structure):
    _fields_ = (("a", ctypes.c_uint, 3), ("b", ctypes.c_int, 7), ("c", ctypes.c_uint, 20), ("d", ctypes.c_uint, 5),
                ("x", ctypes.c_double))  # fmt: skip


def test_bit_fields_lie_where_the_compiler_has_them() -> None:
    assert list(bit_positions(FLAGS).values()) == [0, 3, 10, 32]
    p = parameter("p", P(FLAGS))
    v = variable("v", FLAGS)
    body = [
        let(v, index(ref(p), 0)),
        compound(member(ref(v), "b"), "-", integer(5)),
        put(member(ref(v), "c"), member(ref(v), "d")),
        do(increment(member(ref(v), "d"))),
        do(s.CompoundAssign(s.BinaryOp.MUL, member(ref(v), "a"), num(2.5), DOUBLE, UINT, NOWHERE)),
        compound(member(ref(v), "x"), "*", cast(member(ref(v), "b"), DOUBLE)),
        put(index(ref(p), 1), ref(v)),
    ]
    before, after = CFlags(2, -33, 12345, 17, 1.5), CFlags(5, -38, 17, 18, 1.5 * -38)
    array = np.zeros(2, dtype_of(FLAGS))
    array.view(np.uint8)[:16] = np.frombuffer(bytes(before), np.uint8)
    direction = np.zeros(2, dtype_of(FLAGS))
    direction["x"][0] = 1.0
    result = run(oracle(kernel([p], *body)), [array], {"p": direction})
    assert result.values["p"][1].tobytes() == bytes(after)
    assert result.tangents["p"]["x"][1] == -38.0


def test_bit_fields_in_lists() -> None:
    v = variable("v", FLAGS)
    body = [
        let(v, values(FLAGS, s.Literal(5, UINT, NOWHERE), integer(-3), s.Literal(9, UINT, NOWHERE))),
        give(mul(ref(X), cast(binary("*", member(ref(v), "b"), cast(member(ref(v), "c"), INT)), DOUBLE))),
    ]
    assert at(2.0, 0.0, 1.0, 0.0, oracle(f(*body))) == (-54.0, -27.0)


# ---- the library and namespace scope --------------------------------------------------------------------------------


def test_library_functions_of_classes() -> None:
    p = parameter("p", P(FLOAT4))
    make = library("make_float4", FLOAT4, FLOAT, FLOAT, FLOAT, FLOAT)
    ldg = library("__ldg", FLOAT4, P(FLOAT4))
    read = call(ldg, ref(p))
    v = variable("v", FLOAT4)
    made = call(make, *(member(ref(v), n) for n in "wzyx"))
    subject = oracle(kernel([p], let(v, read), put(index(ref(p), 0), made)))
    result = run(subject, [np.arange(4, dtype=np.float32)], {"p": np.arange(4.0)})
    np.testing.assert_array_equal(result.values["p"], [3, 2, 1, 0])
    np.testing.assert_array_equal(result.tangents["p"].astype(float), [3, 2, 1, 0])


def test_unknown_library_functions_of_classes_are_refused() -> None:
    v = parameter("v", VEC)
    entry = function("f", DOUBLE, [v], give(call(library("length_of", DOUBLE, VEC), ref(v))))
    with pytest.raises(DifferentiationError, match="no derivative for 'length_of'"):
        oracle(entry)


def test_objects_at_namespace_scope() -> None:
    source = """
    namespace a { struct Gains { double g[2]; int n; }; __constant__ Gains gains[2] = {{{1, 2}, 3}, {{4, 5}, 6}}; }
    __device__ a::Gains last = {{0, 0}, 0};
    """
    gains = struct("a::Gains", ("g", Array(DOUBLE, 2)), ("n", INT))
    table = Symbol("a::gains", Array(gains, 2), Role.GLOBAL, NOWHERE, Space.CONSTANT, const=True)
    last = Symbol("last", gains, Role.GLOBAL, NOWHERE, Space.GLOBAL)
    chosen = index(ref(table), 1)
    body = [
        compound(index(member(ref(last), "g"), 1), "+", mul(ref(X), index(member(chosen, "g"), 1))),
        give(mul(index(member(ref(last), "g"), 1), cast(member(chosen, "n"), DOUBLE))),
    ]
    subject = oracle(f(*body), source=source)
    for _ in range(2):
        result = run(subject, [3.0, 0.0], {"x": 1.0})
        assert (result.result, result.result_tangent, result.left_behind) == (90.0, 30.0, True)


def test_pointers_in_objects_at_namespace_scope_are_refused() -> None:
    at_scope = Symbol("view", VIEW, Role.GLOBAL, NOWHERE, Space.GLOBAL)
    with pytest.raises(DifferentiationError, match="CP0903"):
        oracle(f(give(member(ref(at_scope), "scale"))), source="// nothing\n")


# ---- against central differences ------------------------------------------------------------------------------------


def test_a_particle_step_against_central_differences() -> None:
    """Nested classes, methods, constructors and references together."""
    particle = struct("Particle", ("id", INT), ("pos", VEC), ("vel", VEC), ("mass", DOUBLE))
    make, scale = vec_constructor(), scale_method()
    a, b = parameter("a", Reference(VEC, const=True)), parameter("b", Reference(VEC, const=True))
    dot = function(
        "dot",
        DOUBLE,
        [a, b],
        give(add(mul(member(ref(a), "x"), member(ref(b), "x")), mul(member(ref(a), "y"), member(ref(b), "y")))),
    )
    p, dt = parameter("p", P(particle)), parameter("dt", DOUBLE)
    me, v, r = variable("me", Reference(particle)), variable("v", VEC), variable("r", DOUBLE)
    sine = library("sin", DOUBLE, DOUBLE)
    body = [
        let(me, index(ref(p), thread())),
        let(r, call(sine, call(dot, member(ref(me), "pos"), member(ref(me), "vel")))),
        let(v, construct(make, mul(ref(r), ref(dt)), ref(r))),
        do(call(scale, address(ref(v)), member(ref(me), "mass"))),
        put(member(ref(me), "vel"), ref(v)),
        compound(
            member(ref(me), "pos", "x"), "+", mul(member(call(scale, address(temporary(ref(v))), ref(dt)), "x"), ref(r))
        ),
    ]
    subject = oracle(kernel([p, dt], *body), make, scale, dot)
    rng = np.random.default_rng(5)
    dtype = dtype_of(particle)
    floats = [("pos", "x"), ("pos", "y"), ("vel", "x"), ("vel", "y"), ("mass",)]

    def fill() -> np.ndarray[Any, Any]:
        array = np.zeros(4, dtype)
        for path in floats:
            target = array
            for name in path:
                target = target[name]
            target[...] = rng.uniform(0.2, 1.2, 4)
        return array

    def numbers(array: Any) -> Any:
        return np.concatenate([array[path[0]] if len(path) == 1 else array[path[0]][path[1]] for path in floats])

    array, u, c = fill(), fill(), fill()
    tangent = subject.tangent(1, 4, [array, 0.3], {"p": u, "dt": 0.7}).tangents["p"]
    expected = (numbers(c) * numbers(tangent)).sum()

    def functional(step: float) -> Any:
        moved = array.copy()
        for path in floats:
            target, by = (
                (moved[path[0]], u[path[0]]) if len(path) == 1 else (moved[path[0]][path[1]], u[path[0]][path[1]])
            )
            target += step * by
        return (numbers(c) * numbers(subject.tangent(1, 4, [moved, 0.3 + step * 0.7], {}).values["p"])).sum()

    difference = (functional(1e-5) - functional(-1e-5)) / 2e-5
    assert abs(difference - expected) < 1e-8 * abs(expected)
