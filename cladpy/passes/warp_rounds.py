"""Sums over the threads of a block that go round a warp with the elements that they belong to.

Where every thread of a block goes over all elements of a tile, as bodies do that act on each other, each turn of the
reverse loop adds to what is the thread's own, and to an element of the tile's adjoint that all threads add to at the
same time. Gathered by the threads that the elements are given to (`shared_gather`), what a turn computes would be
computed twice. Here the lanes of a warp are at different elements instead, each one ahead of the lane before, and hand
on what has been summed for theirs: after as many steps as there are lanes all sums are back where they began, and are
added, with one atomic for as many turns.

    for k: own += f(k); atomic d_tile[k] += g(k)     for each round of 32 turns:
                                                         for step = 31 .. 0: k = 32 round + (lane + step) % 32
                                                             own += f(k); part += g(k); part = that of the lane before
                                                         atomic d_tile[32 round + (lane + 31) % 32] += part
                                                     the rest as it was

It takes turns that may come in any order: they do nothing but add. Where guards of products can be left out
(`guards`), the lanes of a warp decide together, after each round, whether it is run again with them. The last warp of a
block may have fewer lanes, and makes no rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements
from cladpy.ir.fold import binary, cast, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.renaming import renamed
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, INT, UINT
from cladpy.ir.walk import substitute
from cladpy.passes.guards import adding_to, bare, is_no_number, may_go_bare, sums_of

_WARP = 32
_UNROLLED = 8  # steps
_ALL_LANES = core.Const(0xFFFFFFFF, UINT)


@dataclass(frozen=True, slots=True)
class SharedSum:
    """A sum that a loop adds to an element of shared memory: its `index` is made of the loop's variable and what is the
    same for the block."""

    statement: code.AddElement
    index: core.Expr


def in_rounds(loop: code.CountDown, sums: list[SharedSum]) -> list[code.Statement] | None:
    """What takes the place of a loop that all threads of the block run equally often, and of which `sums` are all that
    it adds to memory; None where its turns have an order, or are fewer than a warp has lanes."""
    if isinstance(loop.count, core.Const) and loop.count.value < _WARP:
        return None
    parts = {s.statement: core.Value("_part", adjoint_value(s.statement.root.element)) for s in sums}
    turn = tuple(code.Add(parts[s], s.expr) if isinstance(s, code.AddElement) and s in parts else s for s in loop.body)
    inside = list(all_statements(turn))
    made = sums_of(inside)
    if made is None or made.counters or not set(made.sums) - set(parts.values()):
        return None
    return _Rounds(loop, sums, parts, turn, [v for v in made.sums if v not in parts.values()]).written()


@dataclass(slots=True)
class _Rounds:
    loop: code.CountDown
    sums: list[SharedSum]
    parts: Mapping[code.AddElement, core.Value]
    turn: code.Block  # the loop's body with parts in place of elements
    own: list[core.Value]  # what else is summed

    def written(self) -> list[code.Statement]:
        kind = self.loop.variable.type
        lane, turns = core.Value("_lane", INT), core.Value("_turns", kind)
        rounds, round, left = core.Value("_rounds", kind), core.Value("_round", kind), core.Value("_left", kind)
        goes_round = core.Formula("cladpy::warp_goes_round()", (), BOOL)
        whole = binary(BinaryOp.DIV, core.Use(turns), core.Const(_WARP, kind), kind)
        done, at = _first_of(core.Use(rounds)), core.Value(self.loop.variable.name, kind)
        rest = (code.Define(at, binary(BinaryOp.ADD, done, core.Use(left), kind)), *self._as_it_was(at))
        return [
            code.Define(lane, cast(core.Formula("cladpy::lane_in_warp()", (), UINT), INT)),
            code.Define(turns, self.loop.count),
            code.Define(rounds, core.Select(goes_round, whole, core.Const(0, kind), kind)),
            code.CountDown(round, core.Use(rounds), tuple(self._round(lane, _first_of(core.Use(round))))),
            replace(self.loop, variable=left, count=binary(BinaryOp.SUB, core.Use(turns), done, kind), body=rest),
        ]

    def _round(self, lane: core.Value, first: core.Expr) -> list[code.Statement]:
        own = {v: core.Value(v.name, v.type) for v in self.own}
        parts = [*own.values(), *self.parts.values()]
        out: list[code.Statement] = [code.Define(part, zero(part.type), mutable=True) for part in parts]
        turn = tuple(adding_to(s, own) for s in self.turn)
        steps = self._steps(lane, first, turn)
        if may_go_bare(list(all_statements(self.turn))):
            again, bad = core.Value("_again", BOOL), core.Value("_bad", BOOL)
            out += bare((self._unrolled(lane, first, turn),))
            out.append(code.Define(bad, is_no_number(parts)))
            out.append(code.Define(again, code.Together("__any_sync", (_ALL_LANES, core.Use(bad)), BOOL)))
            anew = (code.Assign(part, zero(part.type)) for part in parts)
            out.append(code.Branch(core.Use(again), (*anew, steps), ()))
        else:
            out.append(self._unrolled(lane, first, turn))
        out += (code.Add(v, core.Use(part)) for v, part in own.items())
        mine = _turn_of(lane, core.Const(_WARP - 1, INT), first)
        for s in self.sums:
            index = substitute(s.index, {self.loop.variable: mine})
            total = core.Use(self.parts[s.statement])
            out.append(replace(s.statement, index=index, expr=total, update=Update.ATOMIC, once=None))
        return out

    def _steps(self, lane: core.Value, first: core.Expr, turn: code.Block) -> code.Statement:
        """A round: so many steps as there are lanes, in each of which a lane is at another turn."""
        step = core.Value("_step", INT)
        return code.CountDown(step, core.Const(_WARP, INT), self._step(lane, core.Use(step), first, turn))

    def _unrolled(self, lane: core.Value, first: core.Expr, turn: code.Block) -> code.Statement:
        """The same with several steps in a row, so that what they load and compute overlaps."""
        some, step = core.Value("_steps", INT), core.Value("_step", INT)
        number = binary(BinaryOp.ADD, _times(_UNROLLED, core.Use(some)), core.Use(step), INT)
        row = code.CountDown(step, core.Const(_UNROLLED, INT), self._step(lane, number, first, turn), unrolled=True)
        return code.CountDown(some, core.Const(_WARP // _UNROLLED, INT), (row,))

    def _step(self, lane: core.Value, number: core.Expr, first: core.Expr, turn: code.Block) -> code.Block:
        k = core.Value(self.loop.variable.name, self.loop.variable.type)
        body: list[code.Statement] = [code.Define(k, _turn_of(lane, number, first))]
        body += renamed(turn, {self.loop.variable: k})
        before = _within_warp(core.Use(lane), core.Const(_WARP - 1, INT))
        for part in self.parts.values():
            handed = core.Value("_handed", part.type)
            given = code.Together("__shfl_sync", (_ALL_LANES, core.Use(part), before), part.type)
            body += (code.Define(handed, given), code.Assign(part, core.Use(handed)))
        return tuple(body)

    def _as_it_was(self, at: core.Value) -> code.Block:
        """What the loop does in a turn: all threads of a warp add to one element."""
        renaming = {self.loop.variable: at}
        out: list[code.Statement] = []
        for s in self.loop.body:
            (copy,) = renamed((s,), renaming)
            if isinstance(s, code.AddElement) and s in self.parts:
                assert isinstance(copy, code.AddElement)
                copy = replace(copy, update=Update.REDUCED, once=None)
            out.append(copy)
        return tuple(out)


def _first_of(round: core.Expr) -> core.Expr:
    return _times(_WARP, round)


def _times(number: int, expr: core.Expr) -> core.Expr:
    return binary(BinaryOp.MUL, core.Const(number, expr.type), expr, expr.type)


def _within_warp(lane: core.Expr, ahead: core.Expr) -> core.Expr:
    """The number of the lane so many ahead, which comes round."""
    return binary(BinaryOp.BIT_AND, binary(BinaryOp.ADD, lane, ahead, INT), core.Const(_WARP - 1, INT), INT)


def _turn_of(lane: core.Value, step: core.Expr, first: core.Expr) -> core.Expr:
    """The turn that a lane is at in a step of a round."""
    return binary(BinaryOp.ADD, first, cast(_within_warp(core.Use(lane), step), first.type), first.type)
