"""Loops in which few iterations matter, as those that keep the nearest so far: only these have a frame.

    for (j = 0; j < n; ++j) { d = …; if (d < limit) { best[last] = d; limit = …; } }

Where all that has an adjoint is stored under conditions, an iteration in which none of them holds has nothing to
reverse. That costs a slot for the iteration's number, and lanes are at different frames then; so it is done where a
condition compares with what the loop carries, and what is stored becomes harder to beat with each turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from cladpy.adjoint.extrema import made_of
from cladpy.analysis.loops import LoopFacts
from cladpy.analysis.partials import partial_needs
from cladpy.ir import code, core
from cladpy.ir.fold import binary, unary
from cladpy.ir.names import written_out
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import BOOL, INT, LONG, is_floating
from cladpy.ir.walk import begun, defined, operands, statements, subexpressions, values

if TYPE_CHECKING:
    from cladpy.adjoint.frames import LoopTape
    from cladpy.adjoint.sweep import Sweep

_LONGEST = 24  # parts of a condition
_LEAST = 3  # slots, beside which that of the number is cheap
_ORDERS = frozenset({BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE})

_Path = tuple[tuple[core.Expr, bool], ...]  # conditions, and whether they hold


@dataclass(frozen=True, slots=True)
class Records:
    """`condition` says at the end of an iteration whether it has a frame, in which `slot` has its number: what is
    carried as `counter` is that, if there is one."""

    condition: core.Expr
    slot: code.Slot
    counter: core.Value | None


class _Otherwise(Exception):
    """It is another kind of loop."""


def records(
    sweep: Sweep,
    loop: core.Loop,
    facts: LoopFacts,
    kept: Collection[core.Value],
    tape_of: Callable[[Sweep, core.Loop], LoopTape],
) -> Records | None:
    """None where every iteration has a frame. `tape_of` says what a loop inside keeps."""
    if len(kept) < _LEAST or loop.before or loop.lanes is not None or loop.team is not None:
        return None
    if sweep.function.symbol.kind is not FunctionKind.KERNEL or loop not in sweep.needs.reversed:
        return None
    if any(c.value in sweep.activity.values for c in loop.carried):
        return None
    try:
        paths = list(_stored(sweep, loop.body, (), tape_of))
    except _Otherwise:
        return None
    tests = {condition for path in paths for condition, _ in path}
    parts_of_tests = (e for test in tests for e in _parts(test, sweep))
    if not paths or not all(paths) or not any(_is_beaten(e, loop) for e in parts_of_tests):
        return None
    here = {v for s in loop.body for v in defined(s)}
    hidden = {v for s in statements(loop.body) for v in (*defined(s), *begun(s))} - here
    found: list[core.Expr] = []
    for path in paths:
        parts = []
        for condition, holds in path:
            whole = written_out(condition, lambda v: sweep.lets.get(v) if v in hidden else None, _LONGEST)
            if whole is None or not hidden.isdisjoint(values(whole)):
                return None
            parts.append(whole if holds else unary(UnaryOp.NOT, whole, BOOL))
        found.append(reduce(lambda a, b: binary(BinaryOp.AND, a, b, BOOL), parts))
    for inner in (s for s in statements(loop.body) if isinstance(s, core.Loop) and s in sweep.tapes):
        sweep.tapes[inner].frame.slots.clear()  # which nobody asks for
        sweep.tapes[inner].values.clear()
    condition = reduce(lambda a, b: binary(BinaryOp.OR, a, b, BOOL), found)
    counter = next((c.value for c in loop.carried if _counts(c, facts)), None)
    return Records(condition, code.Slot(LONG if counter is None else counter.type), counter)


def _stored(
    sweep: Sweep, region: core.Region, path: _Path, tape_of: Callable[[Sweep, core.Loop], LoopTape]
) -> Iterator[_Path]:
    """Where something is stored that has an adjoint. Nothing else in the body may have to be reversed for its own
    sake."""
    for s in region:
        match s:
            case core.Let() | core.Load() | core.Allocate():
                pass
            case core.Store(root=root, old=None):
                if root in sweep.activity.roots or root in sweep.activity.shadowed:
                    yield path
            case core.If(condition, then, other):
                yield from _stored(sweep, then, (*path, (condition, True)), tape_of)
                yield from _stored(sweep, other, (*path, (condition, False)), tape_of)
            case core.Loop(body=body, before=(), lanes=None):
                tape = tape_of(sweep, s)
                kept = {v for _, v in tape.values}
                if tape.conditional or tape.left or not kept.isdisjoint(_asked_for(sweep, s)):
                    raise _Otherwise
                if any(True for _ in _stored(sweep, body, path, tape_of)):
                    raise _Otherwise
            case _:
                raise _Otherwise


def _asked_for(sweep: Sweep, loop: core.Loop) -> set[core.Value]:
    """What the reverse of an iteration asks for: the slots of all else are dropped."""
    active = sweep.activity
    asked: list[core.Value] = []
    for s in statements(loop.body):
        match s:
            case core.Let(value, expr) if value in active.values:
                asked += partial_needs(expr, active, value)
            case core.Store(expr=expr, root=root) if root in active.roots or root in active.shadowed:
                asked += partial_needs(expr, active)
            case core.If(merges=merges):
                asked += (v for m in merges for e in (m.then, m.other) for v in partial_needs(e, active))
                asked += values(s.condition)
            case core.Load(index=index) | core.Store(index=index):
                asked += values(index)
            case core.Loop():
                asked += (v for e in operands(s) for v in values(e))
            case _:
                pass
        if isinstance(s, core.Store):
            asked += values(s.index)
    asked += (v for c in loop.carried for v in partial_needs(c.next, active))
    return made_of([core.Use(v) for v in asked], loop.body) | set(asked)


def _counts(carried: core.Carried, facts: LoopFacts) -> bool:
    """Whether a carried value is the number of the iteration."""
    found = facts.inductions.get(carried.value)
    if found is None or not found.is_linear or carried.value.type != INT:
        return False
    return all(isinstance(e, core.Const) and e.value == k for k, e in enumerate((found.init, found.step)))


def _parts(condition: core.Expr, sweep: Sweep) -> Iterator[core.Expr]:
    whole = written_out(condition, sweep.lets.get, _LONGEST)
    yield from subexpressions(condition if whole is None else whole)


def _is_beaten(test: core.Expr, loop: core.Loop) -> bool:
    """Whether a comparison is of a number with one that the loop carries."""
    if not isinstance(test, core.Binary) or test.op not in _ORDERS or not is_floating(test.left.type):
        return False
    carried = {c.value for c in loop.carried}
    return any(isinstance(e, core.Use) and e.value in carried for e in (test.left, test.right))
