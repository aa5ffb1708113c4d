"""What is added to after a barrier is loaded before it: no compiler moves a load across a barrier, and the threads of a
block, which wait for each other, would all wait for memory once more.

An element that a thread alone has to do with, once, holds at the beginning what it holds in the end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from cladpy.adjoint.accumulators import changed_variables
from cladpy.adjoint.cleanup import all_statements, touched_roots
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import is_half
from cladpy.ir.walk import values

# The registers that this may take.
MOST = 4


def with_early_loads(block: code.Block) -> code.Block:
    """The body of a kernel; its arguments do not overlap."""
    waits = [i for i, s in enumerate(block) if _waits(s)]
    if not waits:
        return block
    touched = Counter(root.memory for s in all_statements(block) for root, adjoint in touched_roots(s) if adjoint)
    early: dict[int, list[code.Statement]] = {}
    out = list(block)
    for position, s in enumerate(block):
        if not isinstance(s, code.AddElement) or touched[s.root.memory] != 1 or not _is_own(s) or len(early) == MOST:
            continue
        known = _known_from(block[:position], set(values(s.index)))
        place = next((i for i in waits if known <= i < position), None)
        if place is None:
            continue
        before = core.Value(f"_d_{s.root.name}_before", adjoint_value(s.root.element))
        load = code.Define(before, code.Element(s.root, s.index, adjoint=True))
        early.setdefault(place, []).append(load)
        total = core.Binary(BinaryOp.ADD, core.Use(before), s.expr, before.type)
        out[position] = replace(s, expr=total, assigned=True)
    return tuple(t for i, s in enumerate(out) for t in (*early.get(i, []), s))


def _is_own(s: code.AddElement) -> bool:
    fits = s.adjoint and s.update is Update.PLAIN and not s.assigned and not s.optional
    return fits and s.root.outlives and not is_half(s.root.adjoint_cell)


def _waits(statement: code.Statement) -> bool:
    return any(isinstance(s, code.Synchronize) for s in all_statements((statement,)))


def _known_from(block: code.Block, index: set[core.Value]) -> int:
    """The first position at which the variables have the values that they have at the end."""
    changes = (
        i for i, s in enumerate(block) for t in all_statements((s,)) if not index.isdisjoint(changed_variables(t))
    )
    return max(changes, default=-1) + 1
