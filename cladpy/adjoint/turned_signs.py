"""Larger numbers that are written as the smaller of both with the other sign, `-fmin(-a, -b)`, and the reverse.

As what they are, `fmax(a, b)`, they are among the choices that `searches.py` and `counted_ties.py` know: equal numbers
share alike however many there are."""

from __future__ import annotations

from dataclasses import replace

from cladpy.analysis.activity import Activity
from cladpy.analysis.extrema import extremum
from cladpy.ir import core
from cladpy.ir.surface import UnaryOp
from cladpy.ir.walk import statements, with_regions

_OTHER = {"fmin": "fmax", "fmax": "fmin", "fminf": "fmaxf", "fmaxf": "fminf"}


def with_turned_signs(function: core.Function, activity: Activity) -> core.Function:
    """The function with such choices as what they are; the function itself where it has none."""
    lets = {
        s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let) and s.value in activity.values
    }
    turned = {v: made for v, expr in lets.items() if (made := _turned(expr, lets)) is not None}

    def region(statements: core.Region) -> core.Region:
        return tuple(
            replace(s, expr=turned[s.value])
            if isinstance(s, core.Let) and s.value in turned
            else with_regions(s, region)
            for s in statements
        )

    return replace(function, body=region(function.body)) if turned else function


def _turned(expr: core.Expr, lets: dict[core.Value, core.Expr]) -> core.Expr | None:
    inner = _opposite(expr, lets)
    if isinstance(inner, core.Use):
        inner = lets.get(inner.value)
    if not isinstance(inner, core.Math) or extremum(inner) is None or inner.callee.name not in _OTHER:
        return None
    numbers = [_opposite(e, lets) for e in inner.arguments]
    if any(n is None for n in numbers):
        return None
    name = _OTHER[inner.callee.name]
    scope = inner.callee.qualified_name.removesuffix(inner.callee.name)
    callee = replace(inner.callee, name=name, qualified_name=scope + name)
    return replace(inner, callee=callee, arguments=tuple(n for n in numbers if n is not None))


def _opposite(expr: core.Expr, lets: dict[core.Value, core.Expr]) -> core.Expr | None:
    """The number of which an expression is that with the other sign."""
    match lets.get(expr.value) if isinstance(expr, core.Use) else expr:
        case core.Unary(UnaryOp.NEG, operand):
            return operand
        case _:
            return None
