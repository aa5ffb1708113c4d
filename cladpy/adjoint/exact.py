"""Arithmetic that decides something (a branch, a trip count, an index) must come out the same each time it is
evaluated. Compilers contract `a * b + c` differently in different places, so it goes through functions that are never
contracted."""

from __future__ import annotations

from cladpy.ir import core
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import is_floating
from cladpy.ir.walk import map_children

_EXACT = {
    BinaryOp.ADD: "cladpy::add_rn(x, y)",
    BinaryOp.SUB: "cladpy::sub_rn(x, y)",
    BinaryOp.MUL: "cladpy::mul_rn(x, y)",
}


def exactly(expr: core.Expr) -> core.Expr:
    """The expression with every floating-point sum and product uncontracted."""
    inner = map_children(expr, exactly)
    if isinstance(inner, core.Binary) and is_floating(inner.type) and inner.op in _EXACT:
        return core.Formula(_EXACT[inner.op], (("x", inner.left), ("y", inner.right)), inner.type)
    return inner
