"""Arithmetic that decides something (a branch, a trip count, an index) must come out the same each time it is
evaluated. Compilers contract `a * b + c` differently in different places, so it goes through functions that are never
contracted."""

from __future__ import annotations

from dataclasses import replace

from cladpy.ir import core
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import is_floating, is_half
from cladpy.ir.walk import map_children

_EXACT = {
    BinaryOp.ADD: "cladpy::add_rn(x, y)",
    BinaryOp.SUB: "cladpy::sub_rn(x, y)",
    BinaryOp.MUL: "cladpy::mul_rn(x, y)",
}
_ORDINARY = {text: op for op, text in _EXACT.items()}

_EXACT_HALVES = ("__hadd", "__hsub", "__hmul")


def exactly(expr: core.Expr) -> core.Expr:
    """The expression with every floating-point sum and product uncontracted."""
    inner = map_children(expr, exactly)
    if isinstance(inner, core.Math) and inner.callee.name in _EXACT_HALVES and is_half(inner.type):
        name = inner.callee.name + "_rn"
        return replace(inner, callee=replace(inner.callee, name=name, qualified_name=name))
    if isinstance(inner, core.Binary) and is_floating(inner.type) and inner.op in _EXACT:
        return core.Formula(_EXACT[inner.op], (("x", inner.left), ("y", inner.right)), inner.type)
    return inner


def inexactly(expr: core.Expr) -> core.Expr:
    """An uncontracted sum or product as one that may be contracted."""
    match expr:
        case core.Formula(text, (("x", left), ("y", right)), type) if text in _ORDINARY:
            return core.Binary(_ORDINARY[text], left, right, type)
        case _:
            return expr
