"""Loops and loads of shared memory that come to the same for all threads of a block.

    for (int k = 0; k < 8; k++) sum += parts[k];

Where nobody stores to `parts` between the barriers around it, and no number of a thread's own goes in, that is done
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import partial

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, inner_blocks, map_block, mentions, touched_roots
from cladpy.ir.effects import Memory
from cladpy.ir.flow import changed_in
from cladpy.ir.walk import substitute
from cladpy.passes.phases.alike import Alike

_Touched = tuple[core.Root, bool]


def without_copies(block: code.Block) -> code.Block:
    """Without second names for what a variable has from there on: each thread would hold both."""
    for at, s in enumerate(block):
        if not isinstance(s, code.Define) or s.mutable or not isinstance(s.init, core.Use):
            continue
        one, other = s.variable, s.init.value
        rest = map_block(block[at + 1 :], partial(substitute, mapping={one: s.init}))
        if one.type == other.type and other not in changed_in(rest) and not any(one in mentions(t) for t in rest):
            return (*block[:at], *without_copies(rest))
    return block


def steady_loads(block: code.Block, meeting: Set[code.Statement]) -> frozenset[code.Statement]:
    """The loads of shared memory whose elements nobody stores to between the barriers around them, in what follows one
    another and in loops in which nobody waits."""
    found: set[code.Statement] = set()
    for part in _between_barriers(block):
        inside = [t for s in part for t in _with_inside(s)]
        if any(t.effects.writes is Memory.ANY and not isinstance(t, code.AddParameter) for t in inside):
            continue
        written = {_memory(r) for t in inside if t.effects.writes is not Memory.NONE for r in touched_roots(t)}
        loads = (t for s in part if s not in meeting for t in _with_inside(s))
        found.update(t for t in loads if (read := _load(t)) is not None and read not in written)
    return frozenset(found)


def steady_loops(
    block: code.Block, meeting: Set[code.Statement], loads: frozenset[code.Statement]
) -> set[code.Statement]:
    """The loops, with the statements that have blocks inside of them, that do the same for all threads and nothing but
    change variables."""
    loops = [s for s in block if isinstance(s, code.While | code.CountDown) and s not in meeting]
    loops = [s for s in loops if all(map(_only_computes, _with_inside(s)))]
    while True:
        together = {t for s in loops for t in _with_inside(s) if inner_blocks(t)}
        alike = Alike(block, (meeting | together).__contains__, loads)
        kept = [s for s in loops if all(map(alike.statement, _with_inside(s)))]
        if len(kept) == len(loops):
            return together
        loops = kept


def _only_computes(s: code.Statement) -> bool:
    match s:
        case code.Define(_, init):
            return not isinstance(init, code.LOADED) or _load(s) is not None
        case code.While(team=None) | code.CountDown(team=None):
            return not s.fetched
        case _:
            return isinstance(s, code.Assign | code.Add | code.Branch | code.Comment)


def _load(s: code.Statement) -> _Touched | None:
    """The shared memory that a statement loads from."""
    if not isinstance(s, code.Define) or not isinstance(s.init, code.Element):
        return None
    return _memory((s.init.root, s.init.adjoint)) if s.init.root.kind is core.RootKind.SHARED else None


def _memory(touched: _Touched) -> _Touched:
    root, adjoint = touched
    return root.memory, adjoint


def _between_barriers(block: code.Block) -> Iterator[code.Block]:
    """A statement in which the threads of the block wait is a part of what is before and of what is behind it."""
    begin = 0
    for at, s in enumerate(block):
        if any(isinstance(t, code.Synchronize) for t in _with_inside(s)):
            yield block[begin : at + 1]
            begin = at
    yield block[begin:]


def _with_inside(s: code.Statement) -> Iterator[code.Statement]:
    return all_statements((s,))
