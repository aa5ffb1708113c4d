"""Under which condition an iteration needs a slot of the tape.

What is kept of a branch is asked for in the reverse of that branch only. Where the reverse sweep can tell whether the
branch was taken before it has anything of the frame, nothing is written where it was not, nor read: the slot is passed
over. A warp none of whose threads take the branch touches no memory then. The slots are numbered as ever.

That takes a condition made of integers that are outside of the loop, counters of closed form, and what every iteration
keeps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from cladpy.analysis.loops import LoopFacts, trip_bound
from cladpy.ir import core
from cladpy.ir.fold import binary, unary
from cladpy.ir.names import written_out
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import BOOL, is_integer
from cladpy.ir.walk import defined, statements, subexpressions
from cladpy.variants.gather import may_fail

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep

# A condition of more than so many parts is not asked again for a slot.
_LONGEST = 24

_Path = tuple[tuple[core.If, bool], ...]  # the branches around a statement, and whether it is where they are taken


def kept_under(
    sweep: Sweep, loop: core.Loop, facts: LoopFacts, kept: Collection[core.Value]
) -> tuple[list[core.Value], list[tuple[core.Expr, list[core.Value]]]]:
    """What an iteration always keeps, and what it keeps under conditions. Loops of few iterations, whose tape may well
    be in registers, keep everything always."""
    few = trip_bound(loop, facts, sweep.lets) is not None
    if few or sweep.function.symbol.kind is FunctionKind.HOST:
        return list(kept), []
    paths = dict(_paths(sweep, loop.body, ()))
    always = {v for v in kept if not paths.get(v)}
    conditions = _Conditions(sweep, loop, {*facts.inductions, *always})
    groups: dict[core.Expr, list[core.Value]] = {}
    for value in kept:
        condition = conditions.on(paths[value]) if value not in always else None
        if condition is None:
            always.add(value)
        else:
            groups.setdefault(condition, []).append(value)
    return [v for v in kept if v in always], list(groups.items())


def _paths(sweep: Sweep, region: core.Region, path: _Path) -> Iterator[tuple[core.Value, _Path]]:
    """Where the values of a region are defined, those in its loops left out."""
    for statement in region:
        yield from ((v, path) for v in defined(statement))
        if isinstance(statement, core.Loop):
            left = sweep.tapes[statement].left if statement in sweep.tapes else ()
            held = (v for s in statements(statement.body) for v in defined(s) if sweep.needs.held(v, statement))
            yield from ((v, path) for v in (*left, *held))
        if isinstance(statement, core.If):
            yield from _paths(sweep, statement.then, (*path, (statement, True)))
            yield from _paths(sweep, statement.other, (*path, (statement, False)))


class _Conditions:
    def __init__(self, sweep: Sweep, loop: core.Loop, known: set[core.Value]) -> None:
        self.lets = sweep.lets
        self.known = known
        self.inside = {c.value for c in loop.carried}
        for region in (loop.before, loop.body):
            for statement in statements(region):
                self.inside.update(defined(statement))
                if isinstance(statement, core.Loop):
                    self.inside.update(c.value for c in statement.carried)

    def on(self, path: _Path) -> core.Expr | None:
        """What holds wherever control comes to a place in the body, and nowhere else that matters."""
        found: core.Expr | None = None
        whole = True
        for branch, taken in path:
            condition = self._expanded(branch.condition)
            # behind a condition that is left out, an expression may have no value
            if condition is None or (not whole and may_fail(condition)):
                whole = False
                continue
            if not taken:
                condition = unary(UnaryOp.NOT, condition, BOOL)
            found = condition if found is None else binary(BinaryOp.AND, found, condition, BOOL)
        if found is None or isinstance(found, core.Const) or sum(1 for _ in subexpressions(found)) > _LONGEST:
            return None
        return found

    def _expanded(self, expr: core.Expr) -> core.Expr | None:
        """An expression in terms of what is known before the iteration; None where it needs more, or grows too long."""
        whole = written_out(expr, self._made_of, _LONGEST)
        return whole if whole is not None and all(map(self._is_known, subexpressions(whole))) else None

    def _made_of(self, value: core.Value) -> core.Expr | None:
        return None if value in self.known or value not in self.inside else self.lets.get(value)

    def _is_known(self, expr: core.Expr) -> bool:
        if isinstance(expr, core.Use) and expr.value in self.inside and expr.value not in self.known:
            return False
        return is_integer(expr.type) and not isinstance(expr, core.Math | core.OfPointer)
