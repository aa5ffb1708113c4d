"""Loops that look for the largest or smallest of numbers: only the iteration that changed the result last is reversed.

`m = fmax(m, x)` has the derivative 1 by one of its operands and 0 by the other. What the result's adjoint is belongs to
the number that was taken last; all before it, and all after it, get nothing. So the loop keeps the number of that
iteration, and nothing else. With equal operands `fmax(m, x)` is m, as it is where x is not a number: the derivatives
say the same (`cladpy::fmax_dx`), so that a change of the result tells which operand was taken.

A number that is loaded from memory which is overwritten later, such as what the warps of a block tell each other, is
kept in a variable beside the iteration's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.adjoint.expressions import zero
from cladpy.adjoint.scope import Env, Out
from cladpy.analysis.loops import LoopFacts
from cladpy.ir import code, core
from cladpy.ir.fold import cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, LONG
from cladpy.ir.walk import operands, statements, substitute, values

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep

_EXTREMA = frozenset({"fmax", "fmaxf", "fmin", "fminf"})


@dataclass(frozen=True, slots=True)
class Extremum:
    """What is looked for, and the variable that has the number of the iteration, negative if there is none. `held` are
    the loads of that iteration that cannot be repeated, and the variables that have what they gave."""

    carried: core.Carried
    last: core.Value
    held: tuple[tuple[core.Value, core.Value], ...] = ()

    def declared(self) -> Out:
        """The variables, before the loop."""
        held = (code.Define(v, zero(v.type), mutable=True) for _, v in self.held)
        return [code.Define(self.last, core.Const(-1, LONG), mutable=True), *held]

    def told(self, counter: core.Value, env: Env) -> code.Statement:
        """Keeps the number of an iteration that changes the result, and what it has loaded."""
        after = substitute(self.carried.next, env)
        changed = core.Binary(BinaryOp.NE, after, env[self.carried.value], BOOL)
        held = (code.Assign(variable, env[value]) for value, variable in self.held)
        return code.Branch(changed, (code.Assign(self.last, cast(core.Use(counter), LONG)), *held), ())

    def known(self) -> dict[core.Value, core.Expr]:
        """The values of that iteration that are not computed again. What the result is taken to be before it: of this
        and a number, the number is taken."""
        before: core.Expr = core.Const(float("nan"), self.carried.value.type)
        return {self.carried.value: before, **{value: core.Use(variable) for value, variable in self.held}}

    def only(self, k: core.Value, body: Out) -> code.Statement:
        """The reverse of that iteration, if there is one."""
        found = core.Binary(BinaryOp.GE, core.Use(self.last), core.Const(0, LONG), BOOL)
        return code.Branch(found, (code.Define(k, cast(core.Use(self.last), k.type)), *body), ())


def extremum(sweep: Sweep, loop: core.Loop, facts: LoopFacts, kept: Collection[core.Value]) -> Extremum | None:
    """What such a loop looks for, in numbers that are computed, also in loops of their own, read from memory that is
    the same when they are asked for again, or loaded and among what would be `kept` for each iteration; None where it
    is another kind of loop."""
    active = [c for c in loop.carried if c.value in sweep.activity.values]
    if len(active) != 1 or sweep.needs.store_all or loop.lanes is not None or loop not in sweep.needs.reversed:
        return None
    (carried,) = active
    others = [c for c in loop.carried if c is not carried and c.value not in facts.inductions]
    lets = {s.value: s.expr for s in loop.body if isinstance(s, core.Let)}
    taken = lets.get(carried.next.value) if isinstance(carried.next, core.Use) else None  # computed once for both uses
    if others or loop.before or taken is None or not _is_extremum(taken, carried.value):
        return None
    inside = list(statements(loop.body))
    for s in inside:
        match s:
            case core.Let() | core.If() | core.Loop(lanes=None):
                pass
            case core.Load(value) if value in kept or value not in sweep.needs.kept:
                pass
            case _:
                return None
    every = [*(e for s in inside for e in operands(s)), *(c.next for c in loop.carried), loop.condition]
    if sum(carried.value in values(e) for e in every) != 1:
        return None
    held = tuple((v, core.Value(v.name, v.type)) for v in kept if v is not carried.value)
    loaded = {s.value for s in loop.body if isinstance(s, core.Load)}
    return Extremum(carried, core.Value("_last", LONG), held) if loaded.issuperset(v for v, _ in held) else None


def _is_extremum(expr: core.Expr, value: core.Value) -> bool:
    match expr:
        case core.Math(callee, (core.Use(first), second)):
            return callee.name in _EXTREMA and first is value and value not in values(second)
        case _:
            return False
