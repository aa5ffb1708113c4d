"""How statements that follow each other are written as by hand: a number that is only handed on is not named, and a
loop with a step at the end of its turns has it in its head."""

from __future__ import annotations

from collections import Counter

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, changed, defined, mentions, variables_read


def mentions_in(block: code.Block) -> Counter[core.Value]:
    """How many statements mention each variable."""
    return Counter(v for s in all_statements(block) for v in {*variables_read(s), *changed(s), *defined(s)})


def handed_on(
    first: code.Statement, following: code.Statement | None, mentioned: Counter[core.Value]
) -> core.Value | None:
    """The variable that gets what `first` defines, where that is all that the definition is for."""
    match first, following:
        case code.Define(variable, _, False), code.Assign(target, core.Use(source)) if (
            source is variable and mentioned[variable] == 2 and target.type == variable.type
        ):
            return target
        case _:
            return None


def step_of(loop: code.While) -> code.Assign | None:
    """The last assignment of a loop's body, which may as well be made at its end, of the variable that the condition
    asks for: it gets something of itself and of what does not change."""
    asked = set(variables_read(loop))
    for position in reversed(range(len(loop.body))):
        s = loop.body[position]
        if isinstance(s, code.Comment):
            continue
        if isinstance(s, code.Assign) and s.variable in asked and _is_step(s):
            after = loop.body[position + 1 :]
            return s if all(s.variable not in mentions(later) for later in after) else None
        if not isinstance(s, code.Push | code.Keep | code.WriteElement | code.Define | code.Assign):
            return None
    return None


def _is_step(s: code.Assign) -> bool:
    match s.expr:
        case core.Binary(_, core.Use(left), core.Const()):
            return left is s.variable
        case _:
            return False


def belongs_to(first: code.Statement, following: code.Statement | None, mentioned: Counter[core.Value]) -> bool:
    """Whether a variable is that of the loop that follows, and of nothing else."""
    if not (isinstance(first, code.Define) and first.mutable and isinstance(following, code.While)):
        return False
    step = step_of(following) if not following.before and not following.fetched else None
    if step is None or step.variable is not first.variable:
        return False
    return mentioned[first.variable] == 1 + mentions_in((following,))[first.variable]
