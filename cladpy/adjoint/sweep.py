"""The forward and the reverse sweep of one function.

A *pass* over a region writes its forward statements and then, in the same scope, its reverse. The function's body is a
pass; so is each iteration of a reverse loop, which recomputes the body from the state at its start, and each branch of
a reverse `if`. What a pass cannot recompute it finds in its environment: `analysis.to_be_recorded` says which values
are kept, in a variable of the enclosing pass for those under an `if`, in a frame of the tape for those in a loop.
Everything that turns out to be unused is dropped by `dead_code`.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable
from dataclasses import replace

from cladpy.adjoint.collectives import together, transposed, wait
from cladpy.adjoint.expressions import Propagation
from cladpy.adjoint.forward_calls import forward_any_call, tell_stored
from cladpy.adjoint.frames import LoopTape, kept_below
from cladpy.adjoint.loop_passes import forward_loop, reverse_loop
from cladpy.adjoint.plan import Plan
from cladpy.adjoint.reverse_calls import reverse_call, reverse_step
from cladpy.adjoint.scope import AS_PART, AS_PASS, Env, Keeping, Out
from cladpy.adjoint.steps import acquire, is_step
from cladpy.adjoint.tracing import tracing_of
from cladpy.analysis.activity import Activity
from cladpy.analysis.discarded import NOTHING, Discarded
from cladpy.analysis.structure import Index
from cladpy.analysis.to_be_recorded import Needs
from cladpy.analysis.warps import varying_lanes
from cladpy.diagnostics import Sink
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.exact import exactly
from cladpy.ir.fold import zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.never import assert_never
from cladpy.ir.symbols import SYNCTHREADS, FunctionKind
from cladpy.ir.types import Pointer, is_floating
from cladpy.ir.walk import defined, statements, substitute


class Sweep:
    """Writes the gradient of `function` as `activity`, `needs` and `plan` say."""

    storage = code.TAPE  # what functions that log their stores are given

    def __init__(
        self,
        function: core.Function,
        activity: Activity,
        needs: Needs,
        plan: Plan,
        sink: Sink,
        discarded: Discarded = NOTHING,
        *,
        may_alias: bool,
    ) -> None:
        self.function = function
        self.activity = activity
        self.needs = needs
        self.plan = plan
        self.discarded = discarded
        self.lanes = varying_lanes(function)
        self.tapes: dict[core.Loop, LoopTape] = {}
        self.holders: dict[core.Value, core.Value] = {}  # kept value to the variable that outlives its branch
        self.instances: dict[core.Root, core.Root] = {}  # shared memory to what it holds in the pass being written
        self.logged: dict[core.Call, code.Frame] = {}  # what calls overwrite
        self.later: dict[core.Load, core.Value] = {}  # what is added after a branch, held until then
        self.alone: dict[core.Value, core.Expr] = {}  # what values are in this pass, whatever else they might have been
        self.filling = False  # whether a loop is run again that fills an array, though all is stored
        self.too_early = False  # whether memory is still as an iteration has left it, of which a pass begins
        self.index = Index.of(function, may_alias)
        self.heap = {v.symbol: v.roots for v in function.heap}
        self.lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
        tracing = tracing_of(function, activity, needs.values, sink.texts) if plan.traced else None
        self.adjoints = Propagation(activity, sink, discarded, lets=self.lets, tracing=tracing)

    def run(self, seeds: tuple[core.Part, ...]) -> Out:
        """The body of the gradient. `seeds` are the parts of the parameter that holds the result's adjoint."""
        out: Out = []
        env: Env = ChainMap({})
        for parameter in self.function.parameters:
            for content in parameter.contents:
                if isinstance(content, core.Value):
                    env[content] = core.Use(content)
                    self._define_adjoint(content, out)

        if not self.plan.split:
            self._scratch_adjoints(out)

        def start(inner: Out) -> None:
            for leaf, seed in zip(self.function.results, seeds, strict=True):
                assert isinstance(seed.content, core.Value)
                seed_value, span, matters = core.Use(seed.content), self.function.span, not self.discarded.called
                self.adjoints.propagate(leaf.expr, seed_value, env, inner, span, matters=matters)

        self.run_pass(self.function.body, env, out, None, start)
        return out

    def _scratch_adjoints(self, out: Out) -> None:
        for parameter in self.function.parameters:
            root = next((c for c in parameter.contents if c in self.activity.scratch), None)
            if isinstance(root, core.Root) and isinstance(parameter.type, Pointer):
                element = adjoint_value(parameter.type.pointee)
                out.append(code.Act(code.Verb.ADJOINT, pointer=root, adjoint=True, element=element))

    def _cut(self, env: Env, out: Out) -> None:
        """The forward sweep gives what the function returns, and ends."""
        for leaf in self.function.results:
            result = substitute(exactly(leaf.expr), env)
            out.append(code.AddParameter("_result", leaf.expr.type, result, Update.PLAIN, leaf.member, assigned=True))
        out.append(code.Comment("reverse sweep", cut=True))
        self._scratch_adjoints(out)

    # ---- passes ----------------------------------------------------------------------------------------------------

    def run_pass(
        self,
        region: core.Region,
        env: Env,
        out: Out,
        fresh: set[core.Root] | None,
        start: Callable[[Out], None],
        *,
        whole: bool = True,
    ) -> None:
        """Forward, then reverse, in one scope. `fresh` has the arrays that came to life in this pass, and may be
        stored to; None for the first pass, which alone carries out all stores. `whole` says that the region is the
        function's, or an iteration."""
        instances = dict(self.instances)
        last = region[-1] if region else None
        fused = fresh is None and not self.plan.split and isinstance(last, core.If) and self._can_fuse(last)
        first = region[:-1] if fused else region
        if fresh is None:
            out.append(code.Comment("forward sweep"))
        self.too_early = fresh is not None and whole
        self.forward(first, env, out, fresh, AS_PASS)
        self.too_early = False
        if fresh is None and self.plan.split:
            self._cut(env, out)
        elif fresh is None and not fused:
            out.append(code.Comment("reverse sweep"))
        self._declare_adjoints(region, out)
        if whole:
            self._acquire_adjoints(first, out)
        start(out)
        if fused:
            assert isinstance(last, core.If)
            self._branch_passes(last, env, out, None, whole=whole)
        self._reverse(first, env, out)
        self.instances = instances

    def _can_fuse(self, last: core.If) -> bool:
        """An `if` that nothing follows is reversed where it stands: its branches become passes of the first kind."""
        return last in self.needs.reversed and not any(m.value in self.needs.values for m in last.merges)

    def _branch_passes(
        self, statement: core.If, env: Env, out: Out, fresh: set[core.Root] | None, *, whole: bool = False
    ) -> None:
        waiting = self._waiting(statement)
        for load in waiting:
            self.later[load] = core.Value(f"_d_{load.value.name}", adjoint_value(load.value.type))
            out.append(code.Define(self.later[load], zero(self.later[load].type), mutable=True))
        arms: list[tuple[code.Statement, ...]] = []
        for region, chosen in ((statement.then, 0), (statement.other, 1)):
            inner: Out = []
            local = env.new_child()

            def start(out: Out, chosen: int = chosen, local: Env = local) -> None:
                for m in statement.merges:
                    if m.value in self.activity.values:
                        expr = (m.then, m.other)[chosen]
                        seed = core.Use(self.adjoints.adjoint[m.value])
                        matters = self.discarded.matters(m.value)
                        span = statement.span
                        self.adjoints.propagate(expr, seed, local, out, span, matters=matters, owner=m.value)

            self.run_pass(region, local, inner, fresh, start, whole=whole)
            arms.append(tuple(inner))
        condition = substitute(exactly(statement.condition), env)
        out.append(code.Branch(condition, arms[0], arms[1]))
        for load in reversed(waiting):
            added = self._added(load, core.Use(self.later.pop(load)), env)
            taken = ((added,), ()) if load in statement.then else ((), (added,))
            out += (code.Synchronize(SYNCTHREADS), code.Branch(condition, *taken))

    def _waiting(self, statement: core.If) -> list[core.Load]:
        """The loads in a branch before whose reverse the block waits, where not all of its threads take the branch."""
        waits = self.plan.accumulation.waits
        varying = self.plan.accumulation.branching
        found = [s for s in (*statement.then, *statement.other) if isinstance(s, core.Load) and s in waits]
        return found if statement in varying else []

    def _declare_adjoints(self, region: core.Region, out: Out) -> None:
        for statement in region:
            match statement:
                case core.Let(value) | core.Load(value):
                    self._define_adjoint(value, out)
                case core.Collective(value) if value is not None:
                    self._define_adjoint(value, out)
                case core.Call(outputs):
                    for o in outputs:
                        self._define_adjoint(o.value, out)
                case core.If(merges=merges):
                    for m in merges:
                        self._define_adjoint(m.value, out)
                case core.Loop(carried):
                    for c in carried:
                        self._define_adjoint(c.result, out)
                case core.Allocate(root) if root in self.activity.roots and root.kind is core.RootKind.LOCAL:
                    out.append(code.DeclareArray(root, adjoint=True, zeroed=True))
                case _:
                    pass

    def _acquire_adjoints(self, region: core.Region, out: Out) -> None:
        """Of what is allocated in an iteration, or in the function: a pointer may be used wherever control goes."""
        for statement in statements(region):
            if isinstance(statement, core.Acquire):
                roots = self.heap[statement.allocation]
                if not self.activity.roots.isdisjoint(roots) and not roots[0].numbered:
                    out.append(code.Act(code.Verb.ADJOINT, pointer=roots[0], adjoint=True))

    def _define_adjoint(self, value: core.Value, out: Out) -> None:
        if value in self.activity.values:
            variable = core.Value(f"_d_{value.name}", adjoint_value(value.type))
            self.adjoints.adjoint[value] = variable
            out.append(code.Define(variable, zero(variable.type), mutable=True))

    # ---- the forward sweep -----------------------------------------------------------------------------------------

    def _value_of(self, statement: core.Let) -> core.Expr:
        expr = self.alone.get(statement.value) or core.primal(statement.expr)
        if statement.value in self.needs.exact or not is_floating(statement.value.type):
            return exactly(expr)
        return expr

    def define(self, value: core.Value, init: code.Initializer, env: Env, out: Out, statement: core.Statement) -> None:
        variable = core.Value(value.name, value.type)
        out.append(code.Define(variable, init, span=statement.span))
        self.name_output(value, variable, env, out)

    def forward(self, region: core.Region, env: Env, out: Out, fresh: set[core.Root] | None, keeping: Keeping) -> None:
        """Writes a region's statements."""
        for statement in region:
            match statement:
                case core.Let(value):
                    self.define(value, substitute(self._value_of(statement), env), env, out, statement)
                case core.Load(value, root, index):
                    if value not in env and not (self.too_early and statement in self.needs.repeated):
                        element = code.Element(self._instance(root), substitute(exactly(index), env))
                        self.define(value, element, env, out, statement)
                case core.Call():
                    forward_any_call(self, statement, env, out, fresh)
                case core.Store() | core.AtomicAdd() | core.Atomic():
                    if statement in self.needs.stores and (fresh is None or statement.root in fresh):
                        self._forward_store(statement, env, out)
                case core.Allocate():
                    self._forward_allocate(statement, out, fresh)
                case core.Acquire():
                    if fresh is None:
                        out.append(acquire(statement, self.heap[statement.allocation][0], env))
                case core.Barrier():
                    self._forward_barrier(statement, env, out)
                case core.Effect(callee, parts):
                    if fresh is None:
                        given = tuple(p if isinstance(p, core.Text) else substitute(p, env) for p in parts)
                        out.append(code.Perform(callee, given))
                case core.Collective(value) if value is not None:
                    if value not in env:
                        self._forward_collective(statement, env, out)
                case core.Collective():
                    out.append(wait(statement, env))
                case core.If():
                    self._forward_if(statement, env, out, fresh, keeping)
                case core.Loop():
                    forward_loop(self, statement, env, out, fresh, keeping)
                case _:
                    assert_never(statement)

    def _forward_allocate(self, statement: core.Allocate, out: Out, fresh: set[core.Root] | None) -> None:
        root = statement.root
        shared = root.kind is core.RootKind.SHARED
        if statement in self.needs.stores and not shared:
            out.append(code.DeclareArray(root, False, statement.zeroed))
        if fresh is not None and (not self.needs.store_all or root in self.needs.remade):
            fresh.add(root)
            if shared:
                self.instances[root] = replace(root, same_as=root)

    def _forward_collective(self, statement: core.Collective, env: Env, out: Out) -> None:
        value = statement.value
        assert value is not None
        exact = value in self.needs.exact or not is_floating(value.type)
        self.define(value, together(statement, env, exact), env, out, statement)

    def _forward_store(self, store: core.Store | core.AtomicAdd | core.Atomic, env: Env, out: Out) -> None:
        root = self._instance(store.root)
        at = substitute(exactly(store.index), env)
        if isinstance(store, core.Atomic):  # refused but where it leaves the same in any order
            given = tuple(substitute(exactly(e), env) for e in store.arguments)
            out.append(code.UpdateElement(root, at, given, store.callee))
            return
        if isinstance(store, core.AtomicAdd):  # refused where the memory outlives the kernel
            added = substitute(store.expr, env)
            out.append(code.AddElement(root, at, added, code.Update.ATOMIC, adjoint=False))
            return
        exact = store.root in self.needs.exact_roots
        stored = substitute(exactly(store.expr) if exact else store.expr, env)
        out.append(code.WriteElement(root, at, stored, store.span))
        tell_stored(self, store, out)

    def _instance(self, root: core.Root) -> core.Root:
        return self.instances.get(root, root)

    def _forward_barrier(self, barrier: core.Barrier, env: Env, out: Out) -> None:
        value = barrier.value
        if value is None or barrier.predicate is None:
            out.append(code.Synchronize(barrier.callee, span=barrier.span))
            return
        variable = core.Value(value.name, value.type)
        predicate = substitute(exactly(barrier.predicate), env)
        out.append(code.Synchronize(barrier.callee, predicate, variable, barrier.span))
        self.name_output(value, variable, env, out)

    # ---- steps of a host program ----------------------------------------------------------------------------------

    def is_made(self, call: core.Call, env: Env, fresh: set[core.Root] | None) -> bool:
        """Whether a call is made where the region that it stands in is written."""
        if call.writes:
            return fresh is None and call in self.needs.stores
        needed = [v for v in defined(call) if v in self.needs.values]
        if not needed and self.plan.forward(call) is not None:
            return False  # no cleanup would drop it, since it writes to the log
        return bool(call.outputs) and not (needed and all(v in env for v in needed))

    def name_output(self, value: core.Value, variable: core.Value, env: Env, out: Out) -> None:
        """What a call gives is in a variable already."""
        env[value] = core.Use(variable)
        if value in self.holders:
            out.append(code.Assign(self.holders[value], core.Use(variable)))

    def _forward_if(
        self, statement: core.If, env: Env, out: Out, fresh: set[core.Root] | None, keeping: Keeping
    ) -> None:
        held = self.hold(kept_below(self, statement), env, out) if keeping.branches else []
        merged = []
        for m in statement.merges:
            variable = core.Value(m.value.name, m.value.type)
            out.append(code.Define(variable, zero(m.value.type), mutable=True))
            merged.append(variable)
        arms: list[tuple[code.Statement, ...]] = []
        for region, chosen in ((statement.then, 0), (statement.other, 1)):
            inner: Out = []
            local = env.new_child()
            self.forward(region, local, inner, fresh, AS_PART)
            for m, variable in zip(statement.merges, merged, strict=True):
                expr = (m.then, m.other)[chosen]
                expr = exactly(expr) if m.value in self.needs.exact else expr
                inner.append(code.Assign(variable, substitute(expr, local)))
            arms.append(tuple(inner))
        condition = substitute(exactly(statement.condition), env)
        out.append(code.Branch(condition, arms[0], arms[1]))
        for m, variable in zip(statement.merges, merged, strict=True):
            self.name_output(m.value, variable, env, out)
        self.let_go(held, env)

    def hold(self, values: Iterable[core.Value], env: Env, out: Out) -> list[core.Value]:
        """Declares variables for what is kept of a branch or loop, and outlives it."""
        held = []
        for value in values:
            if value not in env and value not in self.holders:
                holder = self.holders[value] = core.Value(value.name, value.type)
                out.append(code.Define(holder, zero(value.type), mutable=True))
                held.append(value)
        return held

    def let_go(self, held: list[core.Value], env: Env) -> None:
        for value in held:
            env[value] = core.Use(self.holders.pop(value))

    def run_again(self, region: core.Region, env: Env, out: Out) -> None:
        """Writes a region's statements once more; nothing is kept, and stored only where it is lost afterwards."""
        self.forward(region, env, out, set(), AS_PART)

    def keeps_frames(self, loop: core.Loop, keeping: Keeping) -> bool:
        return loop in self.needs.reversed and (keeping.loops or self.needs.store_all)

    def begin_iteration(self, loop: core.Loop, out: Out, body: Out) -> None:
        """For what counts instead of keeping (`counting`)."""

    def end_iteration(self, loop: core.Loop, body: Out) -> None:
        """See `begin_iteration`."""

    def end_loop(self, loop: core.Loop, out: Out) -> None:
        """See `begin_iteration`."""

    # ---- the reverse sweep -----------------------------------------------------------------------------------------

    def _reverse(self, region: core.Region, env: Env, out: Out) -> None:
        for statement in reversed(region):
            if statement in self.needs.reversed:
                self._reverse_statement(statement, env, out)
            elif any(isinstance(s, core.Barrier) for s in statements((statement,))):
                # an `if` or a loop of nothing that is reversed but its barriers: one does for all of them
                out.append(code.Synchronize(SYNCTHREADS, span=statement.span))

    def _reverse_statement(self, statement: core.Statement, env: Env, out: Out) -> None:
        adjoint = self.adjoints.adjoint
        match statement:
            case core.Let(value, expr):
                seed = core.Use(adjoint[value])
                matters = self.discarded.matters(value)
                expr = self.alone.get(value, expr)
                self.adjoints.propagate(expr, seed, env, out, statement.span, value, matters=matters)
            case core.Load(value) if statement in self.later:
                out.append(code.Assign(self.later[statement], core.Use(adjoint[value])))
            case core.Load(value):
                if statement in self.plan.accumulation.waits:
                    out.append(code.Synchronize(SYNCTHREADS))
                out.append(self._added(statement, core.Use(adjoint[value]), env))
            case core.Store():
                self._reverse_store(statement, env, out)
            case core.AtomicAdd(root, index, expr):
                seed_variable = core.Value("_r", adjoint_value(root.element))
                at = substitute(exactly(index), env)
                out.append(code.Define(seed_variable, code.Element(root, at, adjoint=True), span=statement.span))
                seed = core.Use(seed_variable)
                self.adjoints.propagate(expr, seed, env, out, statement.span, matters=root.outlives)
            case core.Call() if is_step(statement):
                reverse_step(self, statement, env, out)
            case core.Call():
                reverse_call(self, statement, env, out)
            case core.Acquire(allocation, variable=variable):
                if variable is None:
                    out.append(code.Act(code.Verb.RELEASE, pointer=self.heap[allocation][0]))
            case core.If():
                self._branch_passes(statement, env, out, set())
            case core.Loop():
                reverse_loop(self, statement, env, out)
            case core.Barrier():
                out.append(code.Synchronize(SYNCTHREADS, span=statement.span))
            case core.Collective(value) if value is not None:
                back = transposed(statement, core.Use(adjoint[value]), env, self.lanes, self.adjoints.sink)
                result = core.Value("_r", back.type)
                out.append(code.Define(result, back, span=statement.span))
                self.adjoints.propagate(statement.operands[0], core.Use(result), env, out, statement.span)
            case core.Collective() | core.Allocate() | core.Effect() | core.Atomic():
                assert isinstance(statement, core.Collective)  # the others are not among what is reversed
                out.append(wait(statement, env))
            case _:
                assert_never(statement)

    def _added(self, load: core.Load, added: core.Expr, env: Env) -> code.AddElement:
        """What adds to the adjoint of what is loaded."""
        update, at = self.plan.update(load), substitute(exactly(load.index), env)
        once, together, alone = self.plan.once(load), self.plan.together(load), self.plan.alone(load)
        element = code.AddElement(load.root, at, added, update, origin=load.span, once=once, load=load)
        return replace(element, together=together, alone=alone)

    def _reverse_store(self, statement: core.Store, env: Env, out: Out) -> None:
        root = statement.root
        at = substitute(exactly(statement.index), env)
        if statement.old is not None:
            undone: code.Statement = code.WriteElement(root, at, env[statement.old], statement.span)
            out.append(undone if statement.first is None else code.Branch(env[statement.first], (undone,), ()))
        if root in self.activity.shadowed or root in self.activity.roots:
            seed = core.Value("_r", adjoint_value(root.element))
            zeroed = not self.plan.stays(statement)
            late = self.function.symbol.kind is FunctionKind.KERNEL and root.kind is core.RootKind.ARGUMENT
            late &= self.index.shared is None  # nothing else is the same memory
            alone = self.plan.alone(statement)
            out.append(code.Take(seed, root, at, self.plan.take(statement), zeroed, statement.span, late, alone))
            matters = statement in self.discarded.final
            taken = core.Use(seed)
            self.adjoints.propagate(statement.expr, taken, env, out, statement.span, matters=matters, owner=root)
