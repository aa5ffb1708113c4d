"""Operators have rules as functions have: they are right, and an adjoint uses no more than its row says."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product

import pytest

from cladpy.adjoint.expressions import Propagation
from cladpy.analysis.activity import Activity
from cladpy.analysis.discarded import NOTHING
from cladpy.analysis.partials import partial_needs
from cladpy.derivatives.operators import BINARY, UNARY
from cladpy.diagnostics import NOWHERE, Sink
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, expressions
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import DOUBLE
from cladpy.ir.walk import values

A, B, C = (core.Value(name, DOUBLE) for name in "abc")
NUMBERS = core.Const(2.0, DOUBLE), core.Const(1.0, DOUBLE), core.Const(0.0, DOUBLE)
PARTS = (core.Use(A), core.Use(B), core.Binary(BinaryOp.MUL, core.Use(A), core.Use(C), DOUBLE), *NUMBERS)
VALUES: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


@pytest.mark.parametrize("op", BINARY)
def test_partials(op: BinaryOp) -> None:
    rule, x, y, h = BINARY[op], 1.3, -0.7, 1e-6
    f = VALUES[rule.name]
    told = [eval(p or "0", {"T": float, "x": x, "y": y}) for p in rule.partials]  # noqa: S307
    assert told[0] == pytest.approx((f(x + h, y) - f(x - h, y)) / (2 * h), rel=1e-6)
    assert told[1] == pytest.approx((f(x, y + h) - f(x, y - h)) / (2 * h), rel=1e-6)


@pytest.mark.parametrize("op", BINARY)
def test_needs(op: BinaryOp) -> None:
    """Of all expressions of two operands, whichever of their values are active."""
    for left, right, active in product(PARTS, PARTS, ({A}, {B}, {A, B}, {A, B, C})):
        expr = core.Binary(op, left, right, DOUBLE)
        activity = Activity(frozenset(active), *[frozenset()] * 2, False, *[frozenset()] * 3)
        adjoints = {v: core.Value(f"_d_{v.name}", DOUBLE) for v in active}
        written: list[code.Statement] = []
        seed = core.Value("_seed", DOUBLE)
        Propagation(activity, Sink(), NOTHING, adjoints).propagate(expr, core.Use(seed), {}, written, NOWHERE)
        used = {v for s in all_statements(tuple(written)) for e in expressions(s) for v in values(e)}
        assert used & {A, B, C} <= set(partial_needs(expr, activity)), (op, left, right, active)
        assert bool(written) == activity.expr(expr) or NUMBERS[2] in (left, right)


def test_unary() -> None:
    assert {op.value: rule.partials for op, rule in UNARY.items()} == {"+": ("T(1)",), "-": ("T(-1)",)}
