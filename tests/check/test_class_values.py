"""Objects as values: copied, assigned, initialised by lists, chosen and pointed to."""

from __future__ import annotations

from cladpy.diagnostics import NOWHERE
from cladpy.ir import surface as s
from cladpy.ir.types import (
    CHAR,
    DOUBLE,
    INT,
    Array,
    Record,
    Struct,
)
from tests.check.classes import INNER, OUTER, VEC, P, X, Y, at, f, run
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
    define,
    deref,
    function,
    give,
    index,
    integer,
    let,
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
