"""How many slots a thread's tape needs: known beforehand, or counted by running the forward sweep once without keeping
anything but what undoes its stores."""

from __future__ import annotations

from dataclasses import replace

from cladpy.adjoint.collectives import is_effect
from cladpy.adjoint.frames import slots_of
from cladpy.adjoint.prepare import Prepared
from cladpy.adjoint.scope import AS_PART, Env, Keeping, Out
from cladpy.adjoint.sweep import Sweep
from cladpy.analysis.loops import trip_bound
from cladpy.diagnostics import Sink
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, with_blocks
from cladpy.ir.exact import exactly
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, LONG
from cladpy.ir.walk import regions, statements, substitute
from cladpy.passes.barriers import with_shared_memory
from cladpy.passes.dead_code import without_dead_code
from cladpy.passes.tidy import tidy


def constant_capacity(sweep: Sweep, region: core.Region | None = None) -> int | None:
    """The slots that the loops of a region need at most, None where that depends on the run."""
    total = 0
    for loop in _loops(sweep.function.body if region is None else region):
        frame = slots_of(sweep, loop)
        inner = constant_capacity(sweep, loop.body)
        if inner == 0 and frame == 0:
            continue
        n = trip_bound(loop, sweep.tapes[loop].facts, sweep.lets)
        if inner is None or n is None:
            return None
        n = max(n, 1)  # a loop that never runs names the tape all the same
        total += n * (frame + inner) if sweep.needs.store_all else n * frame + inner
    return total


def _loops(region: core.Region) -> list[core.Loop]:
    """The loops of a region that are not inside of another."""
    found: list[core.Loop] = []
    for statement in region:
        if isinstance(statement, core.Loop):
            found.append(statement)
        else:
            for inner in regions(statement):
                found += _loops(inner)
    return found


class Counting(Sweep):
    """Writes the counting launch: the forward sweep, with a sum in place of the tape.

    Where iterations are recomputed one at a time, the tape holds a loop's frames and, above them, what one iteration's
    inner loops keep; where everything is stored it holds all frames at once. The count is exact but for branches that
    exclude each other, which are summed. What the pullbacks of functions that are called need is said by these.
    """

    storage = code.LOG

    def weight(self, loop: core.Loop) -> int:
        return slots_of(self, loop)

    def is_made(self, call: core.Call, env: Env, fresh: set[core.Root] | None) -> bool:
        forward = self.plan.forward(call)
        taped = forward is not None and forward.storage and call in self.needs.reversed
        return taped or super().is_made(call, env, fresh)

    def count(self) -> tuple[Out, core.Expr]:
        out: Out = []
        env = Env({})
        for parameter in self.function.parameters:
            for content in parameter.contents:
                if isinstance(content, core.Value):
                    env[content] = core.Use(content)
        total = core.Value("_slots", LONG)
        out.append(code.Define(total, core.Const(0, LONG), mutable=True))
        self.totals = [total]
        self.sums: list[tuple[core.Value, core.Value]] = []
        self.forward(self.function.body, env, out, None, AS_PART)
        self.results = [substitute(exactly(leaf.expr), env) for leaf in self.function.results]
        return out, core.Use(total)

    def keeps_frames(self, loop: core.Loop, keeping: Keeping) -> bool:
        return False

    def _counts(self, loop: core.Loop) -> bool:
        return self.weight(loop) > 0 or self._counts_inside(loop)

    def _counts_inside(self, loop: core.Loop) -> bool:
        return any(self.weight(s) > 0 for s in statements(loop.body) if isinstance(s, core.Loop))

    def begin_iteration(self, loop: core.Loop, out: Out, body: Out) -> None:
        if not self._counts(loop):
            return
        frames, most = core.Value("_frames", LONG), core.Value("_most", LONG)
        out.append(code.Define(frames, core.Const(0, LONG), mutable=True))
        out.append(code.Define(most, core.Const(0, LONG), mutable=True))
        inner = core.Value("_inner", LONG)
        body.append(code.Define(inner, core.Const(0, LONG), mutable=True))
        self.totals.append(inner)
        self.sums.append((frames, most))

    def end_iteration(self, loop: core.Loop, body: Out) -> None:
        if not self._counts(loop):
            return
        inner = core.Use(self.totals.pop())
        frames, most = self.sums[-1]
        body.append(code.Add(frames, core.Const(self.weight(loop), LONG)))
        if self.needs.store_all:
            body.append(code.Add(frames, inner))
        elif self._counts_inside(loop):
            larger = core.Binary(BinaryOp.GT, inner, core.Use(most), BOOL)
            body.append(code.Assign(most, core.Select(larger, inner, core.Use(most), LONG)))

    def end_loop(self, loop: core.Loop, out: Out) -> None:
        if not self._counts(loop):
            return
        frames, most = self.sums.pop()
        out.append(code.Add(self.totals[-1], core.Use(frames)))
        out.append(code.Add(self.totals[-1], core.Use(most)))


def with_saves(block: code.Block) -> code.Block:
    """The block with stores to memory that outlives the thread marked: they are undone at the end."""
    return tuple(
        replace(s, saved=True) if isinstance(s, code.WriteElement) and s.root.outlives else with_blocks(s, with_saves)
        for s in block
    )


def counted(prepared: Prepared, sweep: Sweep, sink: Sink, *, may_alias: bool) -> tuple[code.Block, core.Expr]:
    """The body of the counting launch, and how many slots a thread needs."""
    counting = Counting(prepared.function, prepared.activity, prepared.needs, sweep.plan, sink, may_alias=may_alias)
    counting.tapes = sweep.tapes
    out, result = counting.count()
    block = tidy(without_dead_code(out, (result,), stores_matter=may_alias))
    if not any(isinstance(s, code.Define) and core.Use(s.variable) == result for s in block):
        result = core.Const(0, LONG)  # only what is called needs storage
    block = with_saves(tuple(s for s in block if not is_effect(s)))
    _check(prepared.function, block, sink)
    return with_shared_memory(block, may_alias=may_alias), result


def _check(function: core.Function, block: code.Block, sink: Sink) -> None:
    """What the counting launch cannot do as the gradient does it: it would count too little."""
    meets = [t for t in statements(function.body) if t.effects.waits.somebody]
    if meets and any(isinstance(t, code.WriteElement) and t.saved for t in all_statements(block)):
        sink.error(
            "CP0511",
            "how much a loop of this kernel keeps depends on global memory that it writes, and threads wait for "
            "each other in it",
            meets[0].span,
            hint="split the kernel there, or give the loop a constant bound",
        )
    sink.raise_if_errors()
