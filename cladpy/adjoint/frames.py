"""What a pass keeps for its reverse: in the frames of its loops, and in variables for what is under its branches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.adjoint.checkpoints import levels
from cladpy.adjoint.extrema import Extremum
from cladpy.adjoint.kept_under import kept_under
from cladpy.adjoint.records import Records, records
from cladpy.adjoint.searches import extremum
from cladpy.analysis.loops import LoopFacts, loop_facts
from cladpy.ir import code, core
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import LONG
from cladpy.ir.walk import defined, statements

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep


MOST_STEPS = 8  # of a loop that keeps what it has in registers
MOST_KEPT = 24  # in these, by all steps together


@dataclass(frozen=True, slots=True)
class Conditional:
    """What an iteration keeps where a condition holds, as a frame of its own. The condition is made of what the reverse
    sweep knows before that: values from outside of the loop, counters, and what is always kept."""

    condition: core.Expr
    frame: code.Frame
    values: list[tuple[code.Slot, core.Value]]


@dataclass(slots=True)
class LoopTape:
    """What a loop keeps: a frame per iteration, with a slot for each of `values`; and how often it ran."""

    frame: code.Frame
    values: list[tuple[code.Slot, core.Value]]
    facts: LoopFacts
    count: core.Value
    extremum: Extremum | None = None
    conditional: tuple[Conditional, ...] = ()
    records: Records | None = None

    @property
    def left(self) -> tuple[core.Value, ...]:
        """What the loop leaves for its reverse beside its frames."""
        if self.extremum is not None:
            return self.extremum.variables
        return (self.count,) if self.facts.trip_count is None or self.records is not None else ()


def loop_tape(sweep: Sweep, loop: core.Loop) -> LoopTape:
    """What a loop keeps, which is the same whenever it is written."""
    if loop not in sweep.tapes:
        facts = loop_facts(loop, sweep.lets)
        kept = [c.value for c in loop.carried if c.value in sweep.needs.values and c.value not in facts.inductions]
        own = {s.root for s in statements(loop.body) if isinstance(s, core.Allocate)}
        inside = _kept_in(sweep, loop.body, set() if sweep.needs.store_all else own)
        kept += (v for v in inside if not sweep.needs.held(v, loop))
        if loop not in sweep.needs.reversed:
            kept = []  # nobody asks for its iterations again
        found = extremum(sweep, loop, facts, kept)
        if found is not None and found.carried.value in kept:
            sweep.tapes[loop] = LoopTape(code.Frame([]), [], facts, core.Value("_n", LONG), found)
            return sweep.tapes[loop]
        deep = levels(sweep, loop, facts, kept)
        few_matter = None if deep else records(sweep, loop, facts, kept, loop_tape)
        if few_matter is not None:
            slots, every = _slots(kept)
            frame = code.Frame([*every, few_matter.slot], some=True)
            sweep.tapes[loop] = LoopTape(frame, slots, facts, core.Value("_n", LONG), records=few_matter)
            return sweep.tapes[loop]
        always, under = (kept, []) if deep else kept_under(sweep, loop, facts, kept)
        slots, every = _slots(always)
        steps = LONG if facts.trip_count is None else facts.trip_count.type
        few = None if under else _few(sweep, loop, facts, len(every))
        frame = code.States(every, levels=deep, steps=steps) if deep else code.Frame(every, few)
        conditional = []
        for condition, values in under:
            theirs, own_slots = _slots(values)
            conditional.append(Conditional(condition, code.Frame(own_slots), theirs))
        count = core.Value("_n", LONG)
        sweep.tapes[loop] = LoopTape(frame, slots, facts, count, conditional=tuple(conditional))
    return sweep.tapes[loop]


def _few(sweep: Sweep, loop: core.Loop, facts: LoopFacts, slots: int) -> code.Few | None:
    """The steps of a loop, where registers hold what these keep, and it is reversed in that iteration of the loops
    around it in which it runs."""
    match facts.trip_count:
        case core.Const(int(steps)) if 0 < steps <= MOST_STEPS and steps * slots <= MOST_KEPT:
            here = not sweep.needs.store_all or all(loop not in statements(o.body) for o in _every_loop(sweep))
            one_body = not sweep.plan.split and sweep.function.symbol.kind is not FunctionKind.HOST
            return code.Few(steps, loop.span) if here and one_body else None
        case _:
            return None


def _every_loop(sweep: Sweep) -> Iterator[core.Loop]:
    return (s for s in statements(sweep.function.body) if isinstance(s, core.Loop))


def _slots(kept: list[core.Value]) -> tuple[list[tuple[code.Slot, core.Value]], list[code.Slot]]:
    """Slots for values, with these and by themselves."""
    slots = [(code.Slot(v.type), v) for v in kept]
    return slots, [slot for slot, _ in slots]


def slots_of(sweep: Sweep, loop: core.Loop) -> int:
    """The slots of tape that a loop keeps for an iteration."""
    tape = sweep.tapes[loop]
    frames = [tape.frame, *(c.frame for c in tape.conditional)]
    return sum(len(f.slots) for f in frames if not isinstance(f, code.States) and f.few is None)


def kept_below(sweep: Sweep, statement: core.If) -> list[core.Value]:
    """What is kept of the branches of an `if`, in variables that outlive them."""
    own: set[core.Root] = set()
    if not sweep.needs.store_all:
        for region in (statement.then, statement.other):
            own |= {s.root for s in statements(region) if isinstance(s, core.Allocate)}
    return [*_kept_in(sweep, statement.then, own), *_kept_in(sweep, statement.other, own)]


def held_by(sweep: Sweep, loop: core.Loop, own: set[core.Root]) -> Iterator[core.Value]:
    """The kept values of a loop that are the same for all of its iterations."""
    return (v for v in _kept_in(sweep, loop.body, own) if sweep.needs.held(v, loop))


def _kept_in(sweep: Sweep, region: core.Region, own: set[core.Root]) -> Iterator[core.Value]:
    """The kept values of a region outside of its loops, in program order. Loads from `own` arrays are repeated."""
    for statement in region:
        match statement:
            case core.Load(value, root) if value in sweep.needs.kept and root not in own:
                yield value
            case core.Call() | core.Collective():
                yield from (v for v in defined(statement) if v in sweep.needs.kept)
            case core.If(_, then, other):
                yield from _kept_in(sweep, then, own)
                yield from _kept_in(sweep, other, own)
            case core.Loop():
                if sweep.needs.store_all:
                    yield from (c.result for c in statement.carried if c.result in sweep.needs.values)
                    tape = loop_tape(sweep, statement)
                    if statement in sweep.needs.reversed:
                        yield from tape.left
                yield from held_by(sweep, statement, own)
            case _:
                pass
