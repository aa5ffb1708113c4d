"""Refusals that no program reaches today, because an earlier stage refuses first: the stages keep their own guard, and
it is tested on what an earlier stage might hand over."""

from __future__ import annotations

import pytest

from cladpy.adjoint.expressions import Propagation
from cladpy.analysis.activity import Activity
from cladpy.diagnostics import NOWHERE, DifferentiationError, Sink, Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role, Symbol
from cladpy.ir.types import CHAR, DOUBLE, VOID, Array, Type
from cladpy.normalize import Policy, normalize

CODES = ("CP0213", "CP0401")

HERE = Span("k.cu", 1, 1, 1, 2)


def _refusal(*body: s.Stmt, parameters: tuple[Symbol, ...] = ()) -> str:
    """What normalisation says about a function with this body."""
    symbol = FunctionSymbol("k", "k", VOID, tuple(p.type for p in parameters), FunctionKind.KERNEL, HERE)
    function = s.Function(symbol, parameters, s.Block(body, HERE), HERE)
    with pytest.raises(DifferentiationError) as caught:
        normalize(function, Policy({symbol: function}), Sink())
    return str(caught.value)


def _variable(name: str, type: Type, role: Role = Role.VARIABLE) -> Symbol:
    return Symbol(name, type, role, HERE)


def test_an_array_initialised_by_a_string() -> None:
    name = _variable("name", Array(CHAR, 4))
    text = _refusal(s.Declare(name, s.StringLiteral('"abc"', name.type, HERE), HERE))
    assert "an array is initialised by something other than a list [CP0213]" in text


def test_a_list_of_several_values_as_a_number() -> None:
    values = s.InitList((s.Literal(1.0, DOUBLE, HERE), s.Literal(2.0, DOUBLE, HERE)), DOUBLE, HERE)
    text = _refusal(s.Declare(_variable("d", DOUBLE), values, HERE))
    assert text == (
        "k.cu:1:1: error: this expression has no numeric value [CP0209]\nhint: use numbers, or leave it out"
    )


def test_a_library_function_without_a_rule() -> None:
    """The front end hands over any function; normalisation lets those through that the tables know to be pure."""
    x = core.Value("x", DOUBLE)
    mystery = FunctionSymbol("mystery", "lib::mystery", DOUBLE, (DOUBLE,), FunctionKind.DEVICE, NOWHERE, True)
    active = frozenset({x})
    activity = Activity(active, frozenset(), frozenset(), False, active, frozenset(), frozenset())
    sink = Sink()
    adjoints = Propagation(activity, sink, {x: core.Value("_d_x", DOUBLE)})
    adjoints.propagate(core.Math(mystery, (core.Use(x),), DOUBLE), core.Const(1.0, DOUBLE), {}, [], HERE)
    (diagnostic,) = sink.errors
    assert diagnostic.code == "CP0401"
    assert diagnostic.span == HERE
    assert diagnostic.hint is not None
    assert "__device__ void mystery_pullback(double x, double d_result, double *d_x)" in diagnostic.hint
