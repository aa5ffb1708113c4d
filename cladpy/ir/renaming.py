"""Copies of generated code with variables of their own."""

from __future__ import annotations

from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.rewrite import map_statement
from cladpy.ir.walk import substitute


def renamed(block: code.Block, names: dict[core.Value, core.Value]) -> code.Block:
    """A copy of what computes, loops and adds. `names` has the new variables by the old ones."""
    out: list[code.Statement] = []

    def rename(expr: core.Expr) -> core.Expr:
        return substitute(expr, {old: core.Use(new) for old, new in names.items()})

    for s in block:
        match s:
            case code.Define(variable):
                made = map_statement(s, rename)
                assert isinstance(made, code.Define)
                names[variable] = core.Value(variable.name, variable.type)
                out.append(replace(made, variable=names[variable]))
            case code.Assign(variable) | code.Add(variable):
                made = map_statement(s, rename)
                assert isinstance(made, code.Assign | code.Add)
                out.append(replace(made, variable=names.get(variable, variable)))
            case code.Branch(condition, then, other):
                out.append(code.Branch(rename(condition), renamed(then, names), renamed(other, names)))
            case code.While(before, condition, body):
                first = renamed(before, names)
                out.append(replace(s, before=first, condition=rename(condition), body=renamed(body, names)))
            case code.CountDown(variable, count, body):
                count = rename(count)
                names[variable] = core.Value(variable.name, variable.type)
                mask = None if s.mask is None else rename(s.mask)
                out.append(replace(s, variable=names[variable], count=count, body=renamed(body, names), mask=mask))
            case _:
                out.append(map_statement(s, rename))
    return tuple(out)
