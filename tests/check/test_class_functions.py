"""Objects go through functions: methods, constructors, closures, parameters and results."""

from __future__ import annotations

from cladpy.diagnostics import NOWHERE
from cladpy.ir import surface as s
from cladpy.ir.types import (
    DOUBLE,
    INT,
    VOID,
    Array,
    Record,
    Reference,
    Struct,
)
from tests.check.classes import VEC, P, X, Y, at, f, scale_method, vec_constructor
from tests.check.handmade import (
    add,
    address,
    arrow,
    binary,
    call,
    cast,
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
    let,
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
    values,
    variable,
    when,
)


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
