"""Values that are computed alike: of the same values, or loaded from the same element of memory that does not change.

A program that looks at `x[i]` in a condition and computes with it in a branch loads it in both places."""

from __future__ import annotations

from cladpy.ir import core
from cladpy.ir.reach import stored
from cladpy.ir.walk import statements, substitute


def alike(function: core.Function, *, may_alias: bool) -> dict[core.Value, core.Expr]:
    """The first value that is computed as another one is, for each that is not the first itself."""
    changed = {root.memory for root in stored(function)}
    known: dict[tuple[core.Root | None, core.Expr], core.Value] = {}
    found: dict[core.Value, core.Expr] = {}
    key: tuple[core.Root | None, core.Expr]
    for s in statements(function.body):
        match s:
            case core.Let(value, expr):
                key = None, substitute(core.primal(expr), found)
            case core.Load(value, root, index) if root.memory not in changed and not (may_alias and changed):
                key = root, substitute(index, found)
            case _:
                continue
        first = known.setdefault(key, value)
        if first is not value:
            found[value] = core.Use(first)
    return found
