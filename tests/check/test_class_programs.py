"""Classes with the library, at namespace scope, and all together against central differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cladpy.diagnostics import NOWHERE, DifferentiationError
from cladpy.ir.symbols import Role, Space, Symbol
from cladpy.ir.types import (
    DOUBLE,
    FLOAT,
    INT,
    Array,
    Reference,
)
from cladpy.runtime.structs import dtype_of
from tests.check.classes import FLOAT4, VEC, VIEW, P, X, f, run, scale_method, vec_constructor
from tests.check.handmade import (
    add,
    address,
    call,
    cast,
    compound,
    construct,
    do,
    function,
    give,
    index,
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
    temporary,
    thread,
    variable,
)


def test_library_functions_of_classes() -> None:
    p = parameter("p", P(FLOAT4))
    make = library("make_float4", FLOAT4, FLOAT, FLOAT, FLOAT, FLOAT)
    v = variable("v", FLOAT4)
    made = call(make, *(member(ref(v), n) for n in "wzyx"))
    subject = oracle(kernel([p], let(v, index(ref(p), 0)), put(index(ref(p), 0), made)))
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


def test_pointers_in_objects_at_namespace_scope_lead_to_tangents() -> None:
    at_scope = Symbol("view", VIEW, Role.GLOBAL, NOWHERE, Space.GLOBAL)
    body = [give(mul(index(member(ref(at_scope), "data"), 1), member(ref(at_scope), "scale")))]
    source = "struct View { double *data; double scale; int *index; int n; };\nView view;\n"
    subject = oracle(f(*body), source=source)
    held = {"data": np.array([2.0, 3.0]), "scale": 5.0, "index": None, "n": 2}
    along = {"data": np.array([0.0, 1.0]), "scale": 0.5}
    result = subject.tangent(None, None, [0.0, 0.0], {"::view": along}, variables={"view": held})
    assert (result.result, result.result_tangent) == (15.0, 5.0 + 1.5)


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
