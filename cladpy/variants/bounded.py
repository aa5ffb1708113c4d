"""A kernel whose launch is within bounds, such as `gridDim.y <= rows`, may have plain updates where others have not.
The gradient asks, once, and has a body for either case: it is right for every launch, whoever makes it.
"""

from __future__ import annotations

from dataclasses import replace

from cladpy.analysis.races import Accumulation
from cladpy.ir import core
from cladpy.ir.code import Update
from cladpy.ir.effects import Waits
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, UINT
from cladpy.ir.walk import statements


def can_be_repeated(function: core.Function) -> bool:
    """Whether a kernel's body may stand in several kernels: threads do not wait for each other in it, and it calls
    nothing."""
    return can_stand_twice(function) and not any(s.effects.waits.somebody for s in statements(function.body))


def can_stand_twice(function: core.Function) -> bool:
    """Whether it may stand in its gradient twice, in branches which all threads of a launch take alike."""
    every = list(statements(function.body))
    shared = (s for s in every if isinstance(s, core.Allocate) and s.root.kind is core.RootKind.SHARED)
    more = (s for s in every if s.effects.waits is Waits.BLOCK or s.effects.calls or s.effects.shows)
    return not any(shared) and not any(more)


def merged(within: Accumulation, anywhere: Accumulation) -> Accumulation:
    """What holds within bounds, with other updates as they are anywhere."""
    updates = {r: u if u is Update.PLAIN else anywhere.updates[r] for r, u in within.updates.items()}
    return replace(within, updates=updates)


def premise(within: Accumulation, anywhere: Accumulation) -> core.Expr:
    """The condition that a launch is as the proofs take it to be."""
    conditions: list[core.Expr] = []
    for extent in sorted(within.single - anywhere.single, key=lambda e: e.value):
        conditions.append(core.Binary(BinaryOp.EQ, core.Builtin(extent, UINT), core.Const(1, UINT), BOOL))
    conditions += (bound.condition for bound in within.bounds)
    all_of = conditions[0]
    for condition in conditions[1:]:
        all_of = core.Binary(BinaryOp.AND, all_of, condition, BOOL)
    return all_of
