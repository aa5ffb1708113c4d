"""The classes of these tests, and short ways to run functions that use them."""

from __future__ import annotations

from typing import Any

from cladpy.check.oracle import Oracle, TangentResult
from cladpy.ir import surface as s
from cladpy.ir.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    VOID,
    Array,
    Pointer,
    Reference,
)
from tests.check.handmade import (
    arrow,
    compound,
    deref,
    function,
    give,
    method,
    num,
    parameter,
    put,
    ref,
    struct,
    this,
)

P = Pointer
VEC = struct("Vec", ("x", DOUBLE), ("y", DOUBLE))
MIXED = struct("Mixed", ("n", INT), ("x", DOUBLE), ("f", FLOAT))
FLOAT4 = struct("float4", *((n, FLOAT) for n in "xyzw"))
VIEW = struct("View", ("data", P(DOUBLE)), ("scale", DOUBLE), ("index", P(INT)), ("n", INT))
INNER = struct("Inner", ("c", CHAR), ("w", Array(Array(DOUBLE, 2), 3)))
OUTER = struct("Outer", ("n", INT), ("in", Array(INNER, 2)), ("last", FLOAT))


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


def scale_method() -> s.Function:
    """`Vec &Vec::scale(double by) { x *= by; y *= by; return *this; }`"""
    me, by = this(VEC), parameter("by", DOUBLE)
    body = [compound(arrow(ref(me), n), "*", ref(by)) for n in ("x", "y")]
    return method("scale", VEC, Reference(VEC), [me, by], *body, give(deref(ref(me))))


def vec_constructor() -> s.Function:
    me, q, r = this(VEC), parameter("q", DOUBLE), parameter("r", Reference(DOUBLE))
    body = [put(arrow(ref(me), "x"), ref(q)), put(arrow(ref(me), "y"), ref(r)), compound(ref(r), "*", num(2))]
    return method("Vec", VEC, VOID, [me, q, r], *body)
