"""What is added to, or taken, after a barrier is loaded before it: no compiler moves a load across a barrier, and the
threads of a block, which wait for each other, would all wait for memory once more.

An element that a thread alone has to do with, once, holds at the beginning what it holds in the end. What is taken is
zeroed in the end, also where it is taken under a condition before a barrier: a GPU that is told to write what blocks
beside are still fetching takes several times as long.
"""

from __future__ import annotations

from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements
from cladpy.ir.effects import Waits
from cladpy.ir.flow import written
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp
from cladpy.ir.walk import values
from cladpy.passes.zeros_behind import accesses_of, is_own, zeros_apart

# The registers that this may take.
MOST = 4


def with_early_loads(block: code.Block, optional: frozenset[core.Root]) -> code.Block:
    """The body of a kernel whose arguments do not overlap; adjoints of `optional` memory may not be there."""
    waits = [i for i, s in enumerate(block) if _waits(s)]
    if not waits:
        return block
    touched = accesses_of(block)
    early: dict[int, list[code.Statement]] = {}
    last: list[code.Statement] = []
    out: list[code.Statement | None] = list(block)
    for position, s in enumerate(block):
        if not isinstance(s, code.AddElement | code.Take) or touched[s.root.memory] != 1:
            continue
        if not _is_own(s) or s.root in optional:
            continue
        known = _known_from(block[:position], set(values(s.index)))
        place = next((i for i in waits if known <= i < position), None)
        if place is None or sum(map(len, early.values())) == MOST:
            continue
        if isinstance(s, code.Take):
            early.setdefault(place, []).append(replace(s, zero=False))
            out[position] = None
            if s.zero:
                last.append(replace(s, variable=core.Value("_", s.variable.type), late=False))
            continue
        before = core.Value(f"_d_{s.root.name}_before", adjoint_value(s.root.element))
        load = code.Define(before, code.Element(s.root, s.index, adjoint=True))
        early.setdefault(place, []).append(load)
        total = core.Binary(BinaryOp.ADD, core.Use(before), s.expr, before.type)
        out[position] = replace(s, expr=total, assigned=True)
    for position, branch in enumerate(block):
        if isinstance(branch, code.Branch) and position < waits[-1]:
            out[position], zeros = zeros_apart(branch, block[position:], touched)
            last += zeros
    moved = (t for i, o in enumerate(out) for t in (*early.get(i, []), *([] if o is None else [o])))
    return (*moved, *last)


def _is_own(s: code.AddElement | code.Take) -> bool:
    if isinstance(s, code.AddElement) and (not s.adjoint or s.assigned or s.optional):
        return False
    return is_own(s)


def _waits(statement: code.Statement) -> bool:
    return any(s.effects.waits is Waits.BLOCK for s in all_statements((statement,)))


def _known_from(block: code.Block, index: set[core.Value]) -> int:
    """The first position at which the variables have the values that they have at the end."""
    changes = (i for i, s in enumerate(block) for t in all_statements((s,)) if not index.isdisjoint(written(t)))
    return max(changes, default=-1) + 1
