"""What statements of generated code are written with."""

from __future__ import annotations

from collections import ChainMap

from cladpy.ir import code, core
from cladpy.ir.walk import substitute, values

Env = ChainMap[core.Value, core.Expr]
"""What values of the primal are called where a statement is written; a scope's children see it too."""
Out = list[code.Statement]


def assign_together(pairs: list[tuple[core.Value, core.Expr]], out: Out) -> None:
    """Assigns as if at the same time: what a later expression still reads is saved first."""
    pairs = [(v, e) for v, e in pairs if e != core.Use(v)]
    for i, (variable, expr) in enumerate(pairs):
        if any(variable in set(values(later)) for _, later in pairs[i + 1 :]):
            saved = core.Value(f"{variable.name}_before", variable.type)
            out.append(code.Define(saved, core.Use(variable)))
            pairs[i + 1 :] = [(v, substitute(e, {variable: core.Use(saved)})) for v, e in pairs[i + 1 :]]
        out.append(code.Assign(variable, expr))
