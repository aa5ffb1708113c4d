"""Loops that keep some of their states on chip, and run again between them while they are reversed.

Where a loop's iterations need nothing but the numbers that it carries, any of its states can be had by running it again
from an earlier one. `cladpy::checkpoints` (custom_derivatives/cladpy/checkpoints.h) holds states at several distances;
`code.Keep` tells it each state on the way forward, `code.Rewind` asks for them on the way back and holds what makes one
state of another. Memory traffic and the workspace are saved for at most a few runs of the loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cladpy.adjoint.scope import Env, Out, assign_together, define_inductions
from cladpy.analysis.loops import LoopFacts, trip_bound
from cladpy.ir import code, core
from cladpy.ir.exact import exactly
from cladpy.ir.fold import zero
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.walk import operands, regions, statements, subexpressions, substitute

if TYPE_CHECKING:
    from cladpy.adjoint.frames import LoopTape
    from cladpy.adjoint.sweep import Sweep

# A loop that keeps no more numbers than these, and is known to, keeps all of them.
FEW = 64
# States of more numbers than these are kept in memory: they would not stay on chip.
LARGEST = 12
# How much work an iteration may be for each number of the state, in additions: dearer ones are not run again.
WORK = 80
_MATH = 10  # a library function
_INNER = 16  # a loop inside


def levels(sweep: Sweep, loop: core.Loop, facts: LoopFacts, kept: list[core.Value]) -> int:
    """In how many levels a loop that needs the values `kept` of each iteration keeps its states; 0 where all of them go
    to the tape."""
    carried = {c.value for c in loop.carried}
    if not kept or len(kept) > LARGEST or not carried.issuperset(kept) or loop not in sweep.needs.reversed:
        return 0
    if sweep.needs.store_all or loop.lanes is not None or sweep.function.symbol.kind is FunctionKind.HOST:
        return 0
    if not _can_run_again(sweep, loop) or _work(loop.body) > WORK * len(kept):
        return 0
    most = trip_bound(loop, facts, sweep.lets)
    if most is None:
        return 4 if len(kept) <= 4 else 3
    return 0 if most * len(kept) <= FEW else 2 if most <= 256 else 3


def _can_run_again(sweep: Sweep, loop: core.Loop) -> bool:
    """Whether an iteration does the same each time: it meets nobody, and reads nothing that the gradient writes."""
    index, needs = sweep.index, sweep.needs
    written = {root for s in needs.stores for root in index.written(s)}

    def may_differ(s: core.Statement) -> bool:
        match s:
            case core.Barrier() | core.Collective() | core.Acquire() | core.Atomic():
                return True
            case core.Call():
                return s.forward is not None or bool(s.writes) or not written.isdisjoint(index.touched(s))
            case core.Load(value, root):
                return value in needs.kept and not _is_own(sweep, loop, root)
            case _:
                return False

    return not any(map(may_differ, statements(loop.body)))


def _is_own(sweep: Sweep, loop: core.Loop, root: core.Root) -> bool:
    """Whether memory comes to life in each iteration."""
    allocation = sweep.index.allocations.get(root)
    return isinstance(allocation, core.Allocate) and loop in sweep.index.places[allocation].around


def _work(region: core.Region) -> int:
    """About how many additions the region is worth."""
    total = 0
    for s in region:
        total += (_INNER if isinstance(s, core.Loop) else 1) * sum(map(_work, regions(s)))
        total += _MATH * isinstance(s, core.Call)
        for expr in operands(s):
            for e in subexpressions(expr):
                total += _MATH if isinstance(e, core.Math) else isinstance(e, core.Binary)
    return total


def rewind(sweep: Sweep, loop: core.Loop, tape: LoopTape, step: core.Expr, env: Env, out: Out) -> Env:
    """Writes what sets the loop's state to that before `step`; gives the scope in which the carried values are that."""
    assert isinstance(tape.frame, code.States)
    clock = core.Value("_t", step.type)
    state: list[tuple[code.Slot, core.Value]] = []
    local = env.new_child()
    for slot, value in tape.values:
        variable = core.Value(value.name, value.type)
        out.append(code.Define(variable, zero(value.type), mutable=True))
        local[value] = core.Use(variable)
        state.append((slot, variable))
    again = local.new_child()
    body: Out = []
    define_inductions(loop, tape.facts, core.Use(clock), env, again, body)
    instances = dict(sweep.instances)
    sweep.run_again(loop.body, again, body)
    sweep.instances = instances
    nexts = {c.value: exactly(c.next) if c.value in sweep.needs.exact else c.next for c in loop.carried}
    assign_together([(v, substitute(nexts[c], again)) for (_, c), (_, v) in zip(tape.values, state, strict=True)], body)
    out.append(code.Rewind(tape.frame, step, tuple(state), clock, tuple(body)))
    return local
