"""Integers that a condition has chosen, in the branches of the same condition: there they are what it has chosen.

    p = here ? row : 0;  …  if (here) s[p + t] = 0;

What pointers are is chosen by flags where control leaves early. Of an index that is made of such a choice nobody could
say which thread it belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cladpy.ir import core
from cladpy.ir.surface import UnaryOp
from cladpy.ir.types import is_integer
from cladpy.ir.walk import map_operands, statements, substitute, with_regions

Known = Mapping[core.Value, core.Expr]


def with_chosen_values(function: core.Function) -> core.Function:
    choices: dict[tuple[core.Expr, bool], dict[core.Value, core.Expr]] = {}
    for s in statements(function.body):
        match s:
            case core.Let(value, core.Select(condition, then, other)) if is_integer(value.type):
                asked, holds = _plain(condition)
                choices.setdefault((asked, holds), {})[value] = then
                choices.setdefault((asked, not holds), {})[value] = other
            case _:
                pass
    if not any(isinstance(s, core.If) and _plain(s.condition) in choices for s in statements(function.body)):
        return function

    def region(within: core.Region, known: Known) -> core.Region:
        return tuple([statement(s, known) for s in within])

    def statement(s: core.Statement, known: Known) -> core.Statement:
        if not isinstance(s, core.If):
            changed = map_operands(s, lambda e: substitute(e, known)) if known else s
            return with_regions(changed, lambda inner: region(inner, known))
        asked, holds = _plain(s.condition)
        taken, passed = (inside(known, choices.get((asked, side), {})) for side in (holds, not holds))
        merges = tuple(core.Merge(m.value, substitute(m.then, taken), substitute(m.other, passed)) for m in s.merges)
        condition = substitute(s.condition, known)
        return replace(s, condition=condition, then=region(s.then, taken), other=region(s.other, passed), merges=merges)

    def inside(known: Known, chosen: Known) -> Known:
        """What was chosen may have been made of what was chosen before."""
        found = dict(known)
        for value, expr in chosen.items():
            found[value] = substitute(expr, found)
        return found

    return replace(function, body=region(function.body, {}))


def _plain(condition: core.Expr) -> tuple[core.Expr, bool]:
    """A condition without negations, and whether it holds where the given one does."""
    holds = True
    while isinstance(condition, core.Unary) and condition.op is UnaryOp.NOT:
        condition, holds = condition.operand, not holds
    return condition, holds
