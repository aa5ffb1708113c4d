"""Loops that OpenMP's threads share in the original, and share in the gradient.

The forward sweep's loop runs the iterations of the original, and the reverse sweep's what reverses each of them: both
in any order, if what they touch together is summed, or added to atomically. That is looked at in the code as it will be
emitted. What iterations leave on the tape lies in rows, one for each iteration. A loop of which anything remains to be
shown stays as it was: one iteration after the other is always right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from cladpy.analysis.loops import loop_facts
from cladpy.ir import code, core
from cladpy.ir.code_walk import (
    all_statements,
    changed,
    declared,
    expressions,
    map_block,
    mentions,
    own_mentions,
    touched_roots,
    with_blocks,
)
from cladpy.ir.flow import constants
from cladpy.ir.fold import binary, cast
from cladpy.ir.never import assert_never
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import is_floating, is_half, is_integer
from cladpy.ir.walk import substitute, values
from cladpy.passes.accumulators import summed
from cladpy.passes.last_values import with_last_values
from cladpy.passes.own_elements import with_own_elements
from cladpy.passes.sums_only import is_summed

Loop = code.While | code.CountDown


def at_once(
    block: code.Block, function: core.Function, *, rows: bool, unwanted: str = ""
) -> tuple[code.Block, tuple[code.Shared, ...]]:
    """The body of a gradient with the loops that threads may share marked so, and what became of each. `rows` says that
    the tape can hold a row for each iteration; `unwanted` why no loop may be run so."""
    if not any(isinstance(s, Loop) and s.team is not None for s in all_statements(block)):
        return block, ()
    return _Teams(block, function, rows, unwanted).run()


def has_rows(block: code.Block) -> bool:
    """Whether iterations have rows, which only a tape that grows can hold."""
    loops = (s for s in all_statements(block) if isinstance(s, code.CountDown))
    return any(s.at_once is not None and s.at_once.rows is not None for s in loops)


class _Refused(Exception):
    """Why the iterations of a loop are not run at once."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


@dataclass(slots=True)
class _Plan:
    """A loop as it would be run, between statements of its own."""

    before: code.Block
    loop: code.CountDown
    after: code.Block
    frames: frozenset[code.Frame]  # in the rows
    dropped: Collection[core.Value]  # what counted, which nobody else asks for


class _Teams:
    def __init__(self, block: code.Block, function: core.Function, rows: bool, unwanted: str) -> None:
        self.block, self.function, self.rows, self.unwanted = block, function, rows, unwanted
        every = list(all_statements(block))
        self.lets = constants(every)
        self.starts: Mapping[core.Value, code.Define] = {
            s.variable: s for s in every if isinstance(s, code.Define) and s.mutable
        }
        self.plans: dict[Loop, _Plan] = {}
        self.reasons: dict[Loop, str] = {}

    def run(self) -> tuple[code.Block, tuple[code.Shared, ...]]:
        self._look(self.block)
        self._pair()
        dropped = {v for plan in self.plans.values() for v in plan.dropped}
        done = self._rewritten(self.block, dropped)
        teams = [s for s in all_statements(self.block) if isinstance(s, Loop) and s.team is not None]
        return done, tuple(
            code.Shared(s.team, isinstance(s, code.CountDown), self.reasons.get(s, ""))
            for s in teams
            if s.team is not None and (s in self.plans or s in self.reasons)
        )

    # ---- which loops -----------------------------------------------------------------------------------------------

    def _look(self, block: code.Block) -> None:
        for s in block:
            if isinstance(s, Loop) and s.team is not None:
                try:
                    self.plans[s] = self._plan(s, s.team)
                    continue
                except _Refused as refused:
                    self.reasons[s] = refused.reason
            with_blocks(s, self._looked)

    def _looked(self, block: code.Block) -> code.Block:
        self._look(block)
        return block

    def _pair(self) -> None:
        """What one loop leaves in rows another one finds there."""
        while True:
            placed = {f: 0 for plan in self.plans.values() for f in plan.frames}
            inside = {
                s
                for loop, plan in self.plans.items()
                for s in loop.body
                if isinstance(s, code.Push | code.Pop) and s.frame in plan.frames
            }
            astray = {
                s.frame
                for s in all_statements(self.block)
                if isinstance(s, code.Push | code.Pop) and s.frame in placed and s not in inside
            }
            refused = [loop for loop, plan in self.plans.items() if not plan.frames.isdisjoint(astray)]
            if not refused:
                return
            for loop in refused:
                del self.plans[loop]
                self.reasons[loop] = "what it shares the tape with runs one iteration after the other"

    def _plan(self, loop: Loop, team: core.Team) -> _Plan:
        if self.unwanted or team.unshared:
            raise _Refused(self.unwanted or team.unshared)
        counted, dropped = self._counted(loop)
        _check_statements(counted, team, declared(counted.body))
        around = summed(counted, self.block)
        at, counted = next((n, s) for n, s in enumerate(around) if isinstance(s, code.CountDown))
        inside = declared(counted.body)
        last = with_last_values(counted)
        counted = last.loop
        sums = tuple(_summed(counted, inside | last.set))
        frames, slots, own = self._tape(counted, isinstance(loop, code.CountDown))
        kind = None if not slots else code.Rows.READ if isinstance(loop, code.CountDown) else code.Rows.FILLED
        counted = self._with_updates(counted, team)
        counted = replace(counted, at_once=code.AtOnce(sums, kind, slots, own))
        return _Plan(around[:at], counted, (*last.after, *around[at + 1 :]), frames, dropped)

    # ---- counting --------------------------------------------------------------------------------------------------

    def _counted(self, loop: Loop) -> tuple[code.CountDown, Collection[core.Value]]:
        """The loop by the number of its iteration, and the variables that it counted with."""
        if isinstance(loop, code.CountDown):
            if loop.mask is not None or loop.in_step or loop.fetched or loop.soon is not None:
                raise _Refused("its iterations are run in batches")
            return loop, ()
        if loop.before or loop.fetched:
            raise _Refused("what ends it is found out in each iteration")
        inside = declared(loop.body)
        steps = {s.variable: s for s in loop.body if isinstance(s, code.Assign) and s.variable not in inside}
        changing = [v for s in all_statements(loop.body) for v in changed(s)]
        carried = []
        for variable, step in steps.items():
            if is_integer(variable.type) and changing.count(variable) == 1 and not is_summed_only(loop, variable):
                result = core.Value(variable.name, variable.type)
                carried.append(core.Carried(variable, self._start(loop, variable), step.expr, result))
        span = self.function.span
        counting = core.Loop(tuple(carried), (), loop.condition, (), span if loop.span is None else loop.span)
        facts = loop_facts(counting, self.lets)
        varying = {*inside, *changing} - {c.value for c in carried}
        if facts.trip_count is None or any(v in varying for v in values(loop.condition)):
            raise _Refused("how often it runs is not known before it")
        count = facts.trip_count
        number = next(
            (
                v
                for v, i in facts.inductions.items()
                if v.type == count.type and i.op is BinaryOp.ADD and _is(i.init, 0) and _is(i.step, 1)
            ),
            None,
        )
        k = core.Value("_k" if number is None else number.name, count.type)
        names: dict[core.Value, core.Expr] = {}
        body: list[code.Statement] = []
        for c in carried:
            induction = facts.inductions.get(c.value)
            if induction is None or induction.op is not BinaryOp.ADD:
                raise _Refused(f"'{c.value.name}' goes from one iteration to the next")
            position = loop.body.index(steps[c.value])
            if any(c.value in mentions(s) for s in loop.body[position + 1 :]):
                raise _Refused(f"'{c.value.name}' is counted on before the iteration is done with it")
            if c.value is number:
                names[c.value] = core.Use(k)
                continue
            now = core.Value(c.value.name, c.value.type)
            so_far = binary(BinaryOp.MUL, cast(core.Use(k), now.type), cast(induction.step, now.type), now.type)
            if _is(induction.step, 1):
                so_far = cast(core.Use(k), now.type)
            body.append(code.Define(now, binary(BinaryOp.ADD, induction.init, so_far, now.type)))
            names[c.value] = core.Use(now)
        rest = tuple(s for s in loop.body if not (isinstance(s, code.Assign) and s.variable in names))
        body += map_block(rest, lambda e: substitute(e, names))
        made = code.CountDown(k, count, tuple(body), origin=loop.span, team=loop.team)
        return made, [c.value for c in carried]

    def _start(self, loop: code.While, variable: core.Value) -> core.Expr:
        """What a variable begins with that counts in a loop, and does nothing else."""
        start = self.starts.get(variable)
        if start is None or isinstance(start.init, code.LOADED):
            raise _Refused(f"what '{variable.name}' begins with is not known")
        within = set(all_statements((loop,)))
        others = [s for s in all_statements(self.block) if s is not start and s not in within]
        if any(variable in own_mentions(s) for s in others):
            raise _Refused(f"'{variable.name}' is asked for after the loop")
        if any(v in self.starts for v in values(start.init)):
            raise _Refused(f"'{variable.name}' begins with what changes")
        return start.init

    # ---- what iterations have together -----------------------------------------------------------------------------

    def _tape(self, loop: code.CountDown, is_reverse: bool) -> tuple[frozenset[code.Frame], int, bool]:
        """The frames in the row of an iteration, the slots of these, and whether it uses the tape besides."""
        every = list(all_statements(loop.body))
        pushed = {s.frame for s in every if isinstance(s, code.Push)}
        popped = {s.frame for s in every if isinstance(s, code.Pop)}
        there = popped - pushed if is_reverse else pushed - popped
        if pushed ^ popped != there:
            raise _Refused("it leaves more on the tape than it finds there")
        slots, begun = 0, False
        for s in loop.body:
            if isinstance(s, code.Push | code.Pop) and s.frame in there:
                if is_reverse and begun:
                    raise _Refused("it uses the tape before it is given what the forward sweep has left")
                slots += len(s.values if isinstance(s, code.Push) else s.variables)
            elif any(isinstance(t, code.Push | code.Pop) and t.frame in there for t in all_statements((s,))):
                raise _Refused("loops in it keep what they need, each in its own number of iterations")
            else:
                begun |= any(isinstance(t, code.Push | code.Pop) for t in all_statements((s,)))
        if there and not self.rows:
            raise _Refused("it keeps values, for which a function that is called has no room")
        return frozenset(there), slots, bool((pushed | popped) - there)

    def _with_updates(self, loop: code.CountDown, team: core.Team) -> code.CountDown:
        """Where several iterations may add to an element, with additions that are atomic."""
        own = {(s.root, s.adjoint) for s in all_statements(loop.body) if isinstance(s, code.DeclareArray)}
        every = [s for s in all_statements(loop.body) if any(r not in own for r in touched_roots(s))]
        added = [s for s in every if isinstance(s, code.AddElement) and s.adjoint]
        if not added:
            return loop
        alone = with_own_elements(loop, self.function, self.lets)
        together = {s.root for s in added} - alone
        memory = {root.memory for root in together}
        for s in every:
            match s:
                case code.AddElement(root, assigned=True) if root in together and not _is_own(s, team):
                    raise _Refused(f"the adjoint of '{root.name}' is replaced where others may add to it")
                case code.AddElement(root) if root in together and is_half(root.adjoint_cell):
                    raise _Refused(f"'{root.name}' has halves for adjoints, which are not added to atomically")
                case code.Take(_, root) | code.Define(_, code.Element(root, _, True)):
                    if root.memory in memory and not team.apart:
                        raise _Refused(f"the adjoint of '{root.name}' is read where others may add to it")
                case _:
                    pass

        def updated(block: code.Block) -> code.Block:
            return tuple(
                replace(s, update=code.Update.TEAM)
                if isinstance(s, code.AddElement) and s.root in together and not s.assigned
                else with_blocks(s, updated)
                for s in block
            )

        return replace(loop, body=updated(loop.body))

    # ---- the code --------------------------------------------------------------------------------------------------

    def _rewritten(self, block: code.Block, dropped: set[core.Value]) -> code.Block:
        done: list[code.Statement] = []
        for s in block:
            if isinstance(s, code.Define) and s.variable in dropped:
                continue
            plan = self.plans.get(s) if isinstance(s, Loop) else None
            if plan is None:
                done.append(with_blocks(s, lambda b: self._rewritten(b, dropped)))
            else:
                done += (*plan.before, plan.loop, *plan.after)
        return tuple(done)


def is_summed_only(loop: code.While, variable: core.Value) -> bool:
    """Whether a variable is a sum, and not what the loop counts with."""
    return variable not in set(values(loop.condition)) and is_summed(loop.body, variable)


def _is_own(s: code.AddElement, team: core.Team) -> bool:
    """Whether what is replaced was taken before by the iteration, which stores to the element."""
    return team.apart and s.once is None


def _is(expr: core.Expr, number: int) -> bool:
    return isinstance(expr, core.Const) and expr.value == number


def _summed(loop: code.CountDown, inside: set[core.Value]) -> Iterator[core.Value]:
    """The variables outside of a loop that its iterations add to."""
    found: dict[core.Value, None] = {}
    for s in all_statements(loop.body):
        match s:
            case code.Assign(variable) | code.Add(variable) if variable not in inside:
                found.setdefault(variable)
            case code.CallPullback(outputs=outputs):
                if any(v not in inside for v in outputs):
                    raise _Refused(f"'{s.name}' adds to what is outside of the loop")
            case code.Rewind(variables=variables):
                if any(v not in inside for _, v in variables):
                    raise _Refused("it works on what is outside of the loop")
            case _:
                pass
    for variable in found:
        whole = is_floating(variable.type) or is_integer(variable.type)
        if not whole or is_half(variable.type) or not is_summed(loop.body, variable):
            raise _Refused(f"'{variable.name}' goes from one iteration to the next")
        if any(variable in set(values(e)) for e in expressions(loop)):
            raise _Refused(f"'{variable.name}' says how often it runs")
    yield from found


def _check_statements(loop: code.CountDown, team: core.Team, inside: set[core.Value]) -> None:
    """Raises _Refused for what threads must not do at once."""
    own = {(s.root, s.adjoint) for s in all_statements(loop.body) if isinstance(s, code.DeclareArray)}
    for s in all_statements(loop.body):
        match s:
            case code.WriteElement(root) if (root, False) not in own and not team.apart:
                raise _Refused(f"what an iteration stores to '{root.name}' is not known to be its own")
            case code.AddElement(root, adjoint=False) | code.UpdateElement(root) if (root, False) not in own:
                raise _Refused(f"'{root.name}' is added to in the forward sweep")
            case code.Take(_, root) if s.zero and (root, True) not in own and not team.apart:
                raise _Refused(f"what an iteration has stored to '{root.name}' is not known to be its own")
            case code.CallPullback():
                _check_call(s, own, inside)
            case code.Keep(states) | code.Rewind(states):
                if states.variable not in inside:
                    raise _Refused("it keeps states of a loop around it")
            case (
                code.Invoke()
                | code.Act()
                | code.AddParameter()
                | code.Synchronize()
                | code.Undo()
                | code.Reserve()
                | code.Perform()
            ):
                raise _Refused("it calls what works on memory of its own")
            case (
                code.Define()
                | code.Assign()
                | code.Add()
                | code.DeclareArray()
                | code.DeclareObject()
                | code.AddElement()
                | code.UpdateElement()
                | code.Take()
                | code.WriteElement()
                | code.Branch()
                | code.While()
                | code.CountDown()
                | code.Push()
                | code.Pop()
                | code.DeclareStates()
                | code.Comment()
            ):
                pass
            case _:
                assert_never(s)


def _check_call(call: code.CallPullback, own: set[tuple[core.Root, bool]], inside: set[core.Value]) -> None:
    if call.storage or call.undone is not None or call.dropped:
        raise _Refused(f"'{call.name}' keeps what it overwrites")
    if any(adjoint and (root, adjoint) not in own for root, adjoint in touched_roots(call)):
        raise _Refused(f"'{call.name}' adds to memory, and does not do so atomically")
    for a in call.arguments:
        if isinstance(a, code.AddressOfVariable | code.ObjectVariable) and a.variable not in inside:
            raise _Refused(f"'{call.name}' is given the address of what is outside of the loop")
