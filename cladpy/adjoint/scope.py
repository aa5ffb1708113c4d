"""What statements of generated code are written with."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass

from cladpy.analysis.loops import LoopFacts
from cladpy.ir import code, core
from cladpy.ir.walk import substitute, values

Env = ChainMap[core.Value, core.Expr]
"""What values of the primal are called where a statement is written; a scope's children see it too."""
Out = list[code.Statement]


@dataclass(frozen=True, slots=True)
class Keeping:
    """What the forward statements of a region keep for the reverse sweep: in variables, what is under its branches;
    in frames, what its loops need. A loop's body keeps the former, for its own frame; its inner loops run again when
    their iteration is reversed, and keep their frames then."""

    branches: bool
    loops: bool


AS_PASS = Keeping(branches=True, loops=True)
AS_PART = Keeping(branches=False, loops=False)


def assign_together(pairs: list[tuple[core.Value, core.Expr]], out: Out) -> None:
    """Assigns as if at the same time: what a later expression still reads is saved first."""
    pairs = [(v, e) for v, e in pairs if e != core.Use(v)]
    for i, (variable, expr) in enumerate(pairs):
        if any(variable in set(values(later)) for _, later in pairs[i + 1 :]):
            saved = core.Value(f"{variable.name}_before", variable.type)
            out.append(code.Define(saved, core.Use(variable)))
            pairs[i + 1 :] = [(v, substitute(e, {variable: core.Use(saved)})) for v, e in pairs[i + 1 :]]
        out.append(code.Assign(variable, expr))


def define_inductions(loop: core.Loop, facts: LoopFacts, step: core.Expr, env: Env, local: Env, out: Out) -> None:
    """Defines the arithmetic progressions among the carried values as they are before a step."""
    for c in loop.carried:
        if c.value in facts.inductions:
            induction = facts.inductions[c.value]
            now = induction.at(step, substitute(induction.init, env), substitute(induction.step, env))
            variable = core.Value(c.value.name, c.value.type)
            out.append(code.Define(variable, now))
            local[c.value] = core.Use(variable)
