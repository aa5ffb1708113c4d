"""Slots of the tape that are fetched an iteration early.

A reverse loop begins with what its iteration has kept, which the memory of the device takes as long to bring as the
rest of the iteration lasts; where a block then waits at barriers, all its threads lose that time. Where an iteration
keeps one slot, under a condition (`kept_under`), it asks for the slot of the next one too, which then is on its way;
that of the first is asked for before the loop.

Whether the next one has kept something is the same condition with the counter one less, if that is all it is made of
inside of the loop. No other slot may be popped in between.
"""

from __future__ import annotations

from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, with_blocks
from cladpy.ir.flow import written_in
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL
from cladpy.ir.walk import substitute, values


def with_early_pops(block: code.Block) -> code.Block:
    """The body of a kernel's gradient, complete."""
    return tuple(t for s in block for t in _early(with_blocks(s, with_early_pops)))


def _early(loop: code.Statement) -> tuple[code.Statement, ...]:
    if not isinstance(loop, code.CountDown) or loop.mask is not None or loop.fetched:
        return (loop,)
    inside = list(all_statements(loop.body))
    pops = [s for s in inside if isinstance(s, code.Pop)]
    logged = any(isinstance(s, code.Undo) or (isinstance(s, code.CallPullback) and s.storage) for s in inside)
    if logged or len(pops) != 1 or pops[0] not in loop.body or len(pops[0].variables) != 1:
        return (loop,)
    (pop,) = pops
    condition = None if pop.only is None else _by_the_counter(loop, pop, pop.only)
    if condition is None:
        return (loop,)
    k = core.Use(loop.variable)
    zero, one = core.Const(0, k.type), core.Const(1, k.type)
    count = core.Use(core.Value("_n", k.type))
    first = substitute(condition, {loop.variable: binary(BinaryOp.SUB, count, one, k.type)})
    after = substitute(condition, {loop.variable: binary(BinaryOp.SUB, k, one, k.type)})
    soon = binary(BinaryOp.AND, binary(BinaryOp.GT, k, zero, BOOL), after, BOOL)
    body = tuple(replace(s, next=soon) if s is pop else s for s in loop.body)
    soon = binary(BinaryOp.AND, binary(BinaryOp.GT, count, zero, BOOL), first, BOOL)
    define = code.Define(count.value, cast(loop.count, k.type))
    return define, replace(loop, count=count, body=body, soon=soon)


def _by_the_counter(loop: code.CountDown, pop: code.Pop, condition: core.Expr) -> core.Expr | None:
    """A condition in terms of the counter; None where it depends on anything else that is defined in the loop."""
    before = (s for s in loop.body[: loop.body.index(pop)] if isinstance(s, code.Define) and not s.mutable)
    known: dict[core.Value, core.Expr] = {}
    for variable, init in ((s.variable, s.init) for s in before if isinstance(s.init, core.Expr)):
        known[variable] = substitute(init, known)
    found = substitute(condition, known)
    return None if written_in(loop.body) & set(values(found)) else found
