"""The data flow of generated code, where variables change: what they are made of, where, and who reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, changed, defined, inner_blocks, variables_read
from cladpy.ir.names import written_out
from cladpy.ir.walk import values


def constants(every: Iterable[code.Statement]) -> dict[core.Value, core.Expr]:
    """What constants are made of that are not loaded."""
    found: dict[core.Value, core.Expr] = {}
    for s in every:
        if isinstance(s, code.Define) and not s.mutable and not isinstance(s.init, code.LOADED):
            found[s.variable] = s.init
    return found


def written(s: code.Statement) -> tuple[core.Value, ...]:
    """The variables that a statement itself defines or changes."""
    return (*defined(s), *changed(s))


def written_in(block: Iterable[code.Statement]) -> set[core.Value]:
    """The variables that statements define or change, within them too."""
    return {v for s in all_statements(tuple(block)) for v in written(s)}


def changed_in(block: code.Block) -> set[core.Value]:
    """The variables that change once they are there."""
    every = list(all_statements(block))
    found = {v for s in every for v in changed(s)}
    return found | {s.variable for s in every if isinstance(s, code.Define) and s.mutable}


def uses_in(block: code.Block) -> Counter[core.Value]:
    """How often each variable is read."""
    return Counter(v for s in all_statements(block) for v in variables_read(s))


def from_outside(expr: core.Expr, lets: Mapping[core.Value, core.Expr], inside: Set[core.Value]) -> core.Expr | None:
    """An expression without the variables that are written `inside`, by what constants are made of; None where it
    depends on others of them."""
    whole = written_out(expr, lambda v: lets.get(v) if v in inside else None)
    return None if whole is None or not inside.isdisjoint(values(whole)) else whole


def moves_freely(s: code.Statement) -> bool:
    """Whether a statement may change places with one that has to do with none of its variables, and with no memory
    that it touches itself."""
    return s.effects.moves_freely and not inner_blocks(s)
