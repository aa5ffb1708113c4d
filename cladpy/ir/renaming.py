"""Copies of generated code with variables of their own."""

from __future__ import annotations

from cladpy.ir import code, core
from cladpy.ir.code_walk import BEYOND, REBUILT, STATEMENTS, defined
from cladpy.ir.node import Rebuilt
from cladpy.ir.walk import substitute

_VARIABLES = Rebuilt((core.Value,), STATEMENTS, (*BEYOND, code.Frame, code.States))


def renamed(block: code.Block, names: dict[core.Value, core.Value]) -> code.Block:
    """A copy of what computes, loops and adds. `names` has the new variables by the old ones."""
    out: list[code.Statement] = []

    def rename(expr: core.Expr) -> core.Expr:
        return substitute(expr, {old: core.Use(new) for old, new in names.items()})

    for s in block:
        names.update((v, core.Value(v.name, v.type)) for v in defined(s))
        moved = _VARIABLES[type(s)](s, lambda v: names.get(v, v), lambda inner: inner)
        out.append(REBUILT[type(s)](moved, rename, lambda inner: renamed(inner, names)))
    return tuple(out)
