"""Loops in the forward and in the reverse sweep.

Forward, a loop leaves a frame for each iteration that is reversed later. The reverse loop counts down, finds in a frame
the state before its iteration, and makes a pass over the body from there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cladpy.adjoint.checkpoints import rewind
from cladpy.adjoint.frames import held_by, loop_tape
from cladpy.adjoint.scope import AS_PART, Env, Keeping, Out, assign_together, define_inductions
from cladpy.analysis.loops import Induction, LoopFacts
from cladpy.ir import code, core
from cladpy.ir.exact import exactly
from cladpy.ir.fold import cast, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import SYNCTHREADS
from cladpy.ir.types import LONG, Type, is_floating
from cladpy.ir.walk import statements, substitute

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep


def forward_loop(
    sweep: Sweep, loop: core.Loop, env: Env, out: Out, fresh: set[core.Root] | None, keeping: Keeping
) -> None:
    tape = loop_tape(sweep, loop)
    again = sweep.needs.store_all and fresh is not None and not sweep.filling
    filled = fresh or ()
    if again and not any(isinstance(s, core.Store) and s.root in filled for s in statements(loop.body)):
        return  # it ran in the first pass and left its frames and results
    taped = sweep.keeps_frames(loop, keeping) and not again and not sweep.filling
    variables = []
    for c in loop.carried:
        variable = core.Value(c.value.name, c.value.type)
        out.append(code.Define(variable, substitute(c.init, env), mutable=True))
        variables.append(variable)
    closed = tape.facts.trip_count
    kind = _counted_in(closed)
    counter = core.Value("_n", kind)
    unnumbered = tape.records is not None and tape.records.counter is None
    counted = taped and (
        closed is None or isinstance(tape.frame, code.States) or tape.extremum is not None or unnumbered
    )
    number = None  # of the iteration, where there are few
    if taped and tape.frame.few is not None:
        number = next((v for c, v in zip(loop.carried, variables, strict=True) if _counts_up(c, tape.facts)), None)
        number, counted = number or counter, counted or number is None
    if counted:
        out.append(code.Define(counter, core.Const(0, kind), mutable=True))
    found = core.Value("_found", LONG)  # frames, where not every iteration has one
    if taped and tape.records is not None:
        out.append(code.Define(found, core.Const(0, LONG), mutable=True))
    if taped and isinstance(tape.frame, code.States):
        out.append(code.DeclareStates(tape.frame))
    if taped and tape.extremum is not None:
        out += tape.extremum.declared()
        env.update((variable, core.Use(variable)) for variable in tape.extremum.variables)
    held = sweep.hold(held_by(sweep, loop, set()), env, out) if keeping.branches else []

    local = env.new_child()
    for c, variable in zip(loop.carried, variables, strict=True):
        local[c.value] = core.Use(variable)
    before: Out = []
    test = local.new_child()
    sweep.forward(loop.before, test, before, fresh, AS_PART)
    condition = substitute(exactly(loop.condition), test)

    body: Out = []
    saved = sweep.holders
    sweep.holders = {v: holder for v, holder in saved.items() if sweep.needs.held(v, loop)}
    sweep.begin_iteration(loop, out, body)
    outer, sweep.filling = sweep.filling, sweep.filling or again
    sweep.forward(loop.body, local, body, fresh, Keeping(branches=taped, loops=False))
    sweep.filling = outer
    sweep.end_iteration(loop, body)
    if fresh is None:
        body += (code.Act(code.Verb.KEEP, pointer=root) for root in _acquired(sweep, loop))
    sweep.holders = saved
    if taped:
        kept = tuple((slot, local[value]) for slot, value in tape.values)
        if tape.extremum is not None:
            body += tape.extremum.told(counter, local)
        elif tape.records is not None:
            own = tape.records.counter
            number_of = core.Use(counter) if own is None else local[own]
            push = code.Push(tape.frame, (*kept, (tape.records.slot, number_of)))
            condition_of = substitute(exactly(tape.records.condition), local)
            body.append(code.Branch(condition_of, (push, code.Assign(found, _one_more(found))), ()))
        elif isinstance(tape.frame, code.States):
            body.append(code.Keep(tape.frame, core.Use(counter), kept))
        else:
            for part in tape.conditional:
                theirs = tuple((slot, local[value]) for slot, value in part.values)
                body.append(code.Push(part.frame, theirs, substitute(part.condition, local)))
            body.append(code.Push(tape.frame, kept, step=None if number is None else core.Use(number)))
        if counted:
            body.append(code.Assign(counter, _one_more(counter)))
    nexts = [substitute(exactly(c.next) if c.value in sweep.needs.exact else c.next, local) for c in loop.carried]
    nexts = [_one_more(v) if v is number else n for v, n in zip(variables, nexts, strict=True)]
    assign_together(list(zip(variables, nexts, strict=True)), body)
    out.append(code.While(tuple(before), condition, tuple(body), loop.span, team=_forward_team(sweep, loop)))
    sweep.end_loop(loop, out)
    sweep.let_go(held, env)

    for c, variable in zip(loop.carried, variables, strict=True):
        if not (again and c.result in env):
            sweep.name_output(c.result, variable, env, out)
    if taped:
        for variable in tape.left:
            left = (counter if tape.records is None else found) if variable is tape.count else variable
            sweep.name_output(variable, left, env, out)


def _counts_up(carried: core.Carried, facts: LoopFacts) -> bool:
    """Whether a carried value is the number of the iteration."""
    found = facts.inductions.get(carried.value)
    if found is None or not found.is_linear:
        return False
    return all(isinstance(e, core.Const) and e.value == k for k, e in enumerate((found.init, found.step)))


def _one_more(variable: core.Value) -> core.Expr:
    return core.Binary(BinaryOp.ADD, core.Use(variable), core.Const(1, variable.type), variable.type)


def _forward_team(sweep: Sweep, loop: core.Loop) -> core.Team | None:
    """Sums that several threads make are rounded in another way each time: where one decides something, it has to come
    out as before."""
    exact = [
        c for c in loop.carried if is_floating(c.value.type) and not sweep.needs.exact.isdisjoint((c.value, c.result))
    ]
    if loop.team is None or not exact:
        return loop.team
    return replace(loop.team, unshared=f"'{exact[0].value.name}' decides something, and has to be summed in one order")


def reverse_loop(sweep: Sweep, loop: core.Loop, env: Env, out: Out) -> None:
    tape = loop_tape(sweep, loop)
    adjoint = sweep.adjoints.adjoint
    if tape.extremum is not None:
        tape.extremum.reverse(sweep, loop, tape.facts, _counter(loop, tape.facts), env, out)
        _start(sweep, loop, [tape.extremum.carried], env, out)
        return
    active = [c for c in loop.carried if c.value in sweep.activity.values]
    for c in active:
        variable = core.Value(f"_d_{c.value.name}", adjoint_value(c.value.type))
        out.append(code.Define(variable, core.Use(adjoint[c.result]), mutable=True))
        adjoint[c.value] = variable
    closed = tape.facts.trip_count
    few_matter = tape.records
    count = env[tape.count] if closed is None or few_matter is not None else substitute(closed, env)
    k = _counter(loop, tape.facts) if few_matter is None else core.Value("_k", LONG)
    step: core.Expr = core.Use(k)

    body: Out = []
    if isinstance(tape.frame, code.States):
        local = rewind(sweep, loop, tape, core.Use(k), env, body)
    else:
        local = env.new_child()
        popped = _popped(tape.values, local)
        if few_matter is not None:
            turn = core.Value("_turn", few_matter.slot.type)
            popped, step = (*popped, (few_matter.slot, turn)), core.Use(turn)
        body.append(code.Pop(tape.frame, popped))
    body += (code.Act(code.Verb.RECALL, pointer=root) for root in reversed(_acquired(sweep, loop)))
    define_inductions(loop, tape.facts, step, env, local, body)
    for part in reversed(tape.conditional):
        only = substitute(part.condition, local)
        body.append(code.Pop(part.frame, _popped(part.values, local), only))

    def start_iteration(inner: Out) -> None:
        seeds = []
        for c in active:
            seed = core.Value("_r", adjoint_value(c.value.type))
            inner.append(code.Define(seed, core.Use(adjoint[c.value])))
            seeds.append(seed)
        for c in active:
            inner.append(code.Assign(adjoint[c.value], zero(adjoint_value(c.value.type))))
        for c, seed in zip(active, seeds, strict=True):
            matters = sweep.discarded.matters(c.value, c.result)
            seeded = core.Use(seed)
            sweep.adjoints.propagate(c.next, seeded, local, inner, loop.span, matters=matters, owner=c.value)

    sweep.run_pass(loop.body, local, body, set(), start_iteration)
    if any(isinstance(s, core.Barrier) for s in statements(loop.before)):
        body.append(code.Synchronize(SYNCTHREADS))
        out.append(code.Synchronize(SYNCTHREADS))
    lanes = None
    if loop.lanes is not None:
        lanes = substitute(loop.lanes, env)
        held = core.Value("_n", LONG)
        out.append(code.Define(held, cast(count, LONG)))
        count = core.Use(held)
    out.append(code.CountDown(k, count, tuple(body), lanes, loop.span, team=loop.team))
    _start(sweep, loop, active, env, out)


def _start(sweep: Sweep, loop: core.Loop, active: list[core.Carried], env: Env, out: Out) -> None:
    """The adjoints of what a loop begins with."""
    for c in active:
        matters = sweep.discarded.matters(c.value)
        seed = core.Use(sweep.adjoints.adjoint[c.value])
        sweep.adjoints.propagate(c.init, seed, env, out, loop.span, matters=matters, owner=c.value)


def _popped(kept: list[tuple[code.Slot, core.Value]], local: Env) -> tuple[tuple[code.Slot, core.Value], ...]:
    """Variables for what an iteration finds on the tape."""
    found = []
    for slot, value in kept:
        variable = core.Value(value.name, value.type)
        local[value] = core.Use(variable)
        found.append((slot, variable))
    return tuple(found)


def _counted_in(closed: core.Expr | None) -> Type:
    """The type of what counts the iterations of a loop, given how often it runs."""
    return LONG if closed is None else closed.type


def _counter(loop: core.Loop, facts: LoopFacts) -> core.Value:
    """The variable of a reverse loop, which is called what the program calls one of the same values."""
    type = LONG if loop.lanes is not None else _counted_in(facts.trip_count)
    for value, induction in facts.inductions.items():
        if value.type == type and induction == Induction(core.Const(0, type), core.Const(1, type)):
            return core.Value(value.name, type)
    return core.Value("_k", type)


def _acquired(sweep: Sweep, loop: core.Loop) -> list[core.Root]:
    """The pointers that an iteration is given by calls that allocate."""
    made = [sweep.heap[s.allocation][0] for s in statements(loop.body) if isinstance(s, core.Acquire)]
    return [root for root in made if not root.numbered]
