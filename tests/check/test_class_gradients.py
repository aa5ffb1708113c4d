"""The check finds what is wrong with a gradient of class arguments: hand-written ones, right and wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cladpy.check.gradient_check import check
from cladpy.check.report import CheckReport
from cladpy.ir import surface as s
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import DOUBLE, Pointer, Type
from cladpy.runtime import Gradient
from cladpy.runtime.structs import dtype_of
from cladpy.source import Source
from tests.check.handmade import (
    add,
    function,
    give,
    index,
    kernel,
    member,
    mul,
    oracle,
    parameter,
    put,
    ref,
    thread,
    values,
)
from tests.runtime.classes import BODY, CLASSES, PAIR, VIEW
from tests.runtime.derivatives import derivative

SOURCE = (
    CLASSES
    + """
__global__ void mix(Pair p, View v, Body *bodies, const double *const *rows) {
  int i = threadIdx.x;
  bodies[i].position[1] = p.a * v.data[v.index[i]] + p.b * bodies[i].position[0] * rows[i][1];
}
Pair scaled(Pair p, double x) { return Pair{x * p.a, x * p.b}; }
"""
)
PARAMETERS: list[tuple[str, Type]] = [
    ("p", PAIR),
    ("v", VIEW),
    ("bodies", Pointer(BODY)),
    ("rows", Pointer(Pointer(DOUBLE, const=True))),
]

RIGHT = """
  int i = threadIdx.x;
  double d = _d_bodies[i].position[1];
  _d_bodies[i].position[1] = 0;
  atomicAdd(&_d_p->a, d * v.data[v.index[i]]);
  atomicAdd(&_d_p->b, d * bodies[i].position[0] * rows[i][1]);
  atomicAdd(&_d_v.data[v.index[i]], d * p.a);
  _d_bodies[i].position[0] += d * p.b * rows[i][1];
  _d_rows[i][1] += d * p.b * bodies[i].position[0];
"""


def mixed(body: str) -> CheckReport:
    symbols = [parameter(name, type) for name, type in PARAMETERS]
    p, v, bodies, rows = map(ref, symbols)
    own, i = index(bodies, thread()), thread()
    product = mul(mul(member(p, "b"), index(member(own, "position"), 0)), index(index(rows, i), 1))
    first = mul(member(p, "a"), index(member(v, "data"), index(member(v, "index"), i)))
    subject = oracle(kernel(symbols, put(index(member(own, "position"), 1), add(first, product))))
    made = derivative("mix", FunctionKind.KERNEL, PARAMETERS, [0, 1, 2, 3], body, source=Source.load(SOURCE))
    gradient = Gradient(replace(made, program=subject.program), "host")
    rng = np.random.default_rng(1)
    objects = np.zeros(3, dtype_of(BODY))
    objects["position"] = rng.uniform(0.5, 1.5, (3, 3))
    view = {"data": rng.uniform(0.5, 1.5, 2), "index": np.array([1, 0, 1], "i4"), "count": 3, "scale": 0.5}
    table = [rng.uniform(0.5, 1.5, 2) for _ in range(3)]
    return check(gradient, 1, 3, [{"a": 0.7, "b": -0.4}, view, objects, table], oracle=subject)


def test_a_right_gradient_passes() -> None:
    report = mixed(RIGHT)
    assert report.ok, report.text(verbose=True)
    named = [f.what for f in report.findings]
    assert "direction along v, random order" in named and "direction along rows, forward order" in named
    assert "values of bodies.position as the original's" in named and "values of v.data as the original's" in named


@pytest.mark.parametrize(
    ("right", "wrong", "along"),
    [
        ("atomicAdd(&_d_p->b,", "atomicAdd(&_d_p->a,", "p"),
        ("d * p.a);", "d * p.b);", "v"),
        ("_d_v.data[v.index[i]]", "_d_v.data[0]", "v"),
        ("position[0] += d", "position[2] += d", "bodies"),
        ("_d_bodies[i].position[1] = 0;", "", "bodies"),
        ("_d_rows[i][1] +=", "_d_rows[i][0] +=", "rows"),
    ],
)
def test_a_wrong_one_does_not(right: str, wrong: str, along: str) -> None:
    assert right in RIGHT
    report = mixed(RIGHT.replace(right, wrong))
    failed = [f.what for f in report.findings if not f.ok]
    assert f"direction along {along}, forward order" in failed


@pytest.mark.parametrize(("extra", "name"), [("v.data[0] = 9;", "v.data"), ("bodies[0].id = 1;", "bodies.id")])
def test_a_gradient_that_changes_an_argument_is_found(extra: str, name: str) -> None:
    report = mixed(RIGHT + extra)
    assert f"argument {name} holds what it held before (forward)" in [f.what for f in report.findings if not f.ok]


@pytest.mark.parametrize(("factor", "good"), [("x", True), ("2", False)])
def test_functions_that_return_objects(factor: str, good: bool) -> None:
    symbols = [parameter("p", PAIR), parameter("x", DOUBLE)]
    p, x = map(ref, symbols)
    result: s.Expr = values(PAIR, mul(x, member(p, "a")), mul(x, member(p, "b")))
    subject = oracle(function("scaled", PAIR, symbols, give(result)))
    body = (
        f"_d_p->a += {factor} * cotangent.a; _d_p->b += x * cotangent.b; "
        "*_d_x += p.a * cotangent.a + p.b * cotangent.b;"
    )
    given: list[tuple[str, Type]] = [("p", PAIR), ("x", DOUBLE)]
    made = derivative("scaled", FunctionKind.HOST, given, [0, 1], body, result=PAIR, source=Source.load(SOURCE))
    gradient = Gradient(replace(made, program=subject.program), "host")
    report = check(gradient, None, None, [(0.3, 0.8), 1.5], oracle=subject)
    assert report.ok is good, report.text(verbose=True)
