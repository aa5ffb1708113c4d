"""Mapping over expressions and statements: every operand is seen once, and nothing else changes."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from cladpy.diagnostics import NOWHERE
from cladpy.ir import code, code_walk, core, walk
from cladpy.ir.fold import cast
from cladpy.ir.node import Parts, Role
from cladpy.ir.surface import BinaryOp, BuiltinVar, UnaryOp
from cladpy.ir.types import BFLOAT16, BOOL, DOUBLE, FLOAT, HALF, INT, LONG, Type
from cladpy.ir.walk import map_children, map_operands
from tests.ir.test_core_verify import SIN, X, value

A, B, K = (core.Use(value(t, n)) for t, n in ((DOUBLE, "a"), (DOUBLE, "b"), (INT, "k")))
TRUE, FALSE = core.Const(True, BOOL), core.Const(False, BOOL)
ROOT = core.IsNull(X, BOOL, core.Held(0))


@pytest.mark.parametrize(
    ("expr", "operands"),
    [
        (core.Const(1, INT), []),
        (A, []),
        (core.Builtin(BuiltinVar.THREAD_X, INT), []),
        (ROOT, []),
        (core.IsNull(X, BOOL, core.Held(1), K), [K]),
        (core.Unary(UnaryOp.NEG, A, DOUBLE), [A]),
        (core.Cast(K, LONG), [K]),
        (core.Binary(BinaryOp.ADD, A, B, DOUBLE), [A, B]),
        (core.Nested(K, core.Const(1, INT), 2), [K, core.Const(1, INT)]),
        (core.Select(TRUE, A, B, DOUBLE), [TRUE, A, B]),
        (core.Math(SIN, (A,), DOUBLE), [A]),
        (core.Formula("x * y", (("x", A), ("y", B)), DOUBLE), [A, B]),
        (core.Linear(A, ((B, A),), DOUBLE), [A, B, A]),
    ],
)
def test_operands(expr: core.Expr, operands: list[core.Expr]) -> None:
    seen: list[core.Expr] = []

    def see(e: core.Expr) -> core.Expr:
        seen.append(e)
        return e

    assert map_children(expr, see) == expr
    assert seen == operands


def test_branches_and_loops() -> None:
    """The expressions that they evaluate themselves change; their regions stay."""
    body = (core.Let(value(), A, NOWHERE),)
    changed = map_operands(
        core.If(TRUE, body, (), (core.Merge(value(), A, B),), NOWHERE), lambda e: core.Const(0, e.type)
    )
    assert isinstance(changed, core.If)
    assert changed.condition == core.Const(0, BOOL)
    assert changed.then is body
    assert [(m.then, m.other) for m in changed.merges] == [(core.Const(0, DOUBLE), core.Const(0, DOUBLE))]
    loop = core.Loop((core.Carried(value(), A, B, value()),), (), TRUE, body, NOWHERE, K)
    again = map_operands(loop, lambda e: core.Const(0, e.type))
    assert isinstance(again, core.Loop)
    assert (again.condition, again.lanes) == (core.Const(0, BOOL), core.Const(0, INT))
    assert again.body is body
    (carried,) = again.carried
    assert (carried.init, carried.next) == (core.Const(0, DOUBLE), core.Const(0, DOUBLE))


@dataclass(frozen=True)
class Roleless:
    value: core.Value


def test_roles() -> None:
    """What a class says of its variables is what statements do with them; one that says nothing is an error."""
    a, b, of = value(), value(), code.Frame()
    slot = code.Slot(DOUBLE)
    loop = core.Loop((core.Carried(a, A, B, b),), (), TRUE, (), NOWHERE)
    assert (walk.defined(loop), walk.begun(loop)) == ((b,), (a,))
    states = code.States()
    rewind = code.Rewind(states, K, ((slot, a),), b, (code.Comment("x"),))
    assert code_walk.mentions(rewind) == {states.variable, a, b, K.value}
    assert (code_walk.defined(rewind), code_walk.changed(rewind)) == ((b,), (states.variable, a))
    assert a in code_walk.variables_read(rewind)
    assert code_walk.declared((code.Pop(of, ((slot, a),)), code.DeclareStates(states))) == {a, states.variable}
    with pytest.raises(TypeError, match="Roleless does not say the role of a Value"):
        Parts((core.Value,), (Roleless,), Role.DEFINED)[Roleless]


@pytest.mark.parametrize(
    ("constant", "type", "converted"),
    [
        (core.Const(0.1, DOUBLE), HALF, core.Const(0.0999755859375, HALF)),
        (core.Const(3, INT), BFLOAT16, core.Const(3.0, BFLOAT16)),
        (core.Const(65536, INT), HALF, None),
        (core.Const(0.5, HALF), FLOAT, core.Const(0.5, FLOAT)),
        (core.Const(0.1, DOUBLE), FLOAT, None),
        (core.Const(2, INT), BOOL, core.Const(True, BOOL)),
    ],
)
def test_conversions_of_constants(constant: core.Const, type: Type, converted: core.Const | None) -> None:
    """Those that are exact, or are rounded to a half, as the device does it; where that is infinite, it stays."""
    assert cast(constant, type) == (core.Cast(constant, type) if converted is None else converted)


def test_a_copy_has_values_of_its_own() -> None:
    """Also where a statement need not have one, as an intrinsic of a warp."""
    inner = core.Collective(value(INT), SIN, None, (K,), NOWHERE)
    statement = core.If(TRUE, (inner,), (), (core.Merge(value(DOUBLE), A, B),), NOWHERE)
    before = [*walk.defined(inner), *walk.defined(statement)]
    (again,) = walk.copied((statement,), names := {})
    after = [v for s in walk.statements((again,)) for v in walk.defined(s)]
    assert not set(before) & set(after)
    assert {use.value for use in names.values()} == set(after)  # type: ignore[attr-defined]
