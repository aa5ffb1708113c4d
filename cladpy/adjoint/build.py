"""How a gradient is made: sweeps, pullbacks of what is called, parameters, and the plan of its launch."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from string import ascii_lowercase

from cladpy.adjoint.counting import constant_capacity, counted
from cladpy.adjoint.custom import adjoint_type, custom_pullback
from cladpy.adjoint.deterministic import ExactBuffer, exactly_summed
from cladpy.adjoint.forward import forward_function
from cladpy.adjoint.gradient import AdjointBeside, AdjointGlobal, Background, Gradient
from cladpy.adjoint.kernels import Kernels
from cladpy.adjoint.launch_counts import known_at_launch
from cladpy.adjoint.overlaps import Overlap
from cladpy.adjoint.parameters import adjoints_beside, primal_parameters, scalar_adjoints, seed_parts
from cladpy.adjoint.plan import (
    ForwardReference,
    LaunchInTwo,
    Plan,
    PullbackReference,
    RenewingLaunch,
    never_kept,
    never_renewed,
)
from cladpy.adjoint.prepare import Preparation, Prepared
from cladpy.adjoint.promises import NOTHING_PROMISED, Promised, check_flow, check_promises, promised_roots
from cladpy.adjoint.questions import BLOCK, Questions
from cladpy.adjoint.renewal import (
    exchanges,
    is_apart,
    with_settled_adjoints,
)
from cladpy.adjoint.split import divided, kept_parameters
from cladpy.adjoint.sweep import Sweep
from cladpy.adjoint.variants import Variants
from cladpy.analysis import races
from cladpy.analysis.dimensions import NO_EXTENTS, PLANES
from cladpy.analysis.discarded import discarded
from cladpy.analysis.exactness import everything
from cladpy.analysis.flow import seeded
from cladpy.analysis.overwritten import find_overwritten
from cladpy.analysis.reasons import NO_PROOFS, OVERLAP, Reason
from cladpy.analysis.replays import find_replays
from cladpy.analysis.to_be_recorded import Needs
from cladpy.analysis.uniform import Varying
from cladpy.analysis.warps import varying_lanes
from cladpy.diagnostics import Sink, Span
from cladpy.ir import code, core
from cladpy.ir import surface as s
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements
from cladpy.ir.halves import adjoint_value
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Symbol
from cladpy.ir.types import Pointer, is_half
from cladpy.ir.walk import statements
from cladpy.normalize import Decisions, Policy, Restart, decided
from cladpy.normalize.places import element_of
from cladpy.options import Options
from cladpy.passes.at_once import has_rows
from cladpy.passes.order import Context, called, finished, joined, launched
from cladpy.request import identifiers
from cladpy.variants.bounded import can_be_repeated, merged, premise

# A tape of at most this many slots of eight bytes is a local array.
LOCAL_TAPE = 512
MOST_TOLD_APART = 32  # accesses


@dataclass(slots=True)
class _Pullback:
    name: str
    reference: PullbackReference
    function: code.Function | None = None


@dataclass(slots=True)
class Builder:
    program: s.Program
    policy: Policy
    questions: Questions
    options: Options
    integers: bool
    sink: Sink
    preparation: Preparation
    growable: bool  # whether the tape can grow: on the host it can
    launched: bool = False  # whether the entry is a kernel that the function asked for launches
    pullbacks: dict[tuple[FunctionSymbol, tuple[int, ...], tuple[Update, ...]], _Pullback] = field(default_factory=dict)
    forwards: dict[FunctionSymbol, ForwardReference] = field(default_factory=dict)
    done: list[code.Function] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    backgrounds: dict[str, Background] = field(default_factory=dict)
    optional: frozenset[core.Root] = frozenset()  # memory whose adjoint may not be there

    # ---- pullbacks -------------------------------------------------------------------------------------------------

    def request(self, call: core.Call, active: tuple[int, ...], updates: tuple[Update, ...]) -> PullbackReference:
        custom = custom_pullback(self.program, call, self.sink)
        if custom is not None:
            return custom
        key = (call.callee, active, updates)
        if key not in self.pullbacks:
            name = self._name(call, active, updates)
            pullback = _Pullback(name, PullbackReference(name, active, self.policy.needs_storage(call.callee)))
            self.pullbacks[key] = pullback
            pullback.function = self._build_pullback(call.callee, active, updates, name)
            self.done.append(pullback.function)
        return self.pullbacks[key].reference

    def _name(self, call: core.Call, active: tuple[int, ...], updates: tuple[Update, ...]) -> str:
        """The talk's name: the positions of the global arguments. A letter where a variant of that name exists."""
        parameters = call.callee.parameters
        positions = [i for i, a in enumerate(call.arguments) if isinstance(a, core.PointerArgument)]
        first = len(parameters) + bool(call.returned)
        positions += [first + n for n, i in enumerate(active) if isinstance(call.arguments[i], core.PointerArgument)]
        base = identifiers([call.callee.name])[0]
        return self._unused(f"{base}_pullback" + "".join(f"_{p}" for p in positions))

    def _unused(self, base: str) -> str:
        """The name, with a letter where another function has it, or a number where there are more than letters."""
        endings = itertools.chain(("", *ascii_lowercase), (f"_v{n}" for n in itertools.count(1)))
        name: str = next(filter(lambda n: n not in self.names, (base + ending for ending in endings)))
        self.names.add(name)
        return name

    def forward(self, call: core.Call, needs: Needs) -> ForwardReference | None:
        """What is called in place of a recursive function whose stores are undone, whose pullback keeps frames, or that
        decides something."""
        symbol = call.callee
        if self.policy.is_custom(symbol) or not self.policy.recursive(symbol):
            return None
        storage = self.policy.needs_storage(symbol)
        if not storage and needs.exact.isdisjoint(o.value for o in call.outputs):
            return None
        if symbol not in self.forwards:
            name = self._unused(f"{identifiers([symbol.name])[0]}_forward")
            self.forwards[symbol] = ForwardReference(name, storage)
            prepared = self.preparation.prepare(symbol, ())
            values, _ = everything(prepared.function)
            exactly = replace(prepared.needs, exact=values)
            plan = Plan(
                races.Accumulation({}, frozenset(), NO_EXTENTS),
                frozenset(),
                frozenset(),
                None,
                _none,
                lambda inner: self.forward(inner, exactly),
                self.preparation.kernels.is_repeatable,
            )
            self.backgrounds[name] = Background(replace(prepared, needs=exactly), plan.accumulation, {})
            taped = symbol in self.policy.decisions.taped
            self.done.append(forward_function(prepared, name, plan, storage, taped, self.sink))
        return self.forwards[symbol]

    def _build_pullback(
        self, symbol: FunctionSymbol, active: tuple[int, ...], updates: tuple[Update, ...], name: str
    ) -> code.Function:
        prepared = self.preparation.prepare(symbol, active)
        given = dict(zip(active, updates, strict=True))
        function = prepared.function
        by_root = {
            c: given[i]
            for i, p in enumerate(function.parameters)
            for c in p.contents
            if isinstance(c, core.Root) and i in given
        }
        # whether the threads store to one element is not known here: the exchange is right in any case
        stores = (t for t in statements(function.body) if isinstance(t, core.Store))
        exchanged = frozenset(t for t in stores if by_root.get(t.root) is Update.ATOMIC)
        accumulation = races.Accumulation(by_root, exchanged, NO_EXTENTS)
        seeds = seed_parts(function)
        parameters = primal_parameters(function)
        if seeds:
            parameters.append(code.Parameter("_d_return", adjoint_value(symbol.result), seeds))
        for i in active:
            p = function.parameters[i]
            parameters.append(code.Parameter(f"_d_{p.name}", adjoint_type(p.type), p.parts, adjoint=True))
        body, sweep = self.sweep(prepared, accumulation, NOTHING_PROMISED, seeds, None)
        self.backgrounds[name] = Background(prepared, accumulation, sweep.adjoints.adjoint)
        body += scalar_adjoints(prepared, sweep, Update.PLAIN)
        context = replace(self._context(function), rows=False)
        made = launched(called(body, context), context)
        capacity = constant_capacity(sweep)
        storage = self.policy.needs_storage(symbol)
        decisions = self.policy.decisions
        unfit = capacity is None or capacity > LOCAL_TAPE
        if (unfit or storage) and not self.policy.recursive(symbol):
            raise Restart(decisions.inlined(symbol))
        if (unfit or (storage and capacity)) and symbol not in decisions.taped:
            raise Restart(replace(decisions, taped=decisions.taped | {symbol}))
        slots = 0 if storage else capacity
        kept_in = code.TAPE if storage else ""
        role = code.FunctionRole.PULLBACK
        return code.Function(
            name, role, tuple(parameters), made.body, function, tape_slots=slots, storage=kept_in, teams=made.teams
        )

    # ---- sweeps ----------------------------------------------------------------------------------------------------

    def sweep(
        self,
        prepared: Prepared,
        accumulation: races.Accumulation,
        promised: Promised,
        seeds: tuple[core.Part, ...],
        varying: Varying | None,
        split: bool = False,
    ) -> tuple[list[code.Statement], Sweep]:
        def request(call: core.Call, active: tuple[int, ...]) -> PullbackReference:
            if call.callee.kind is FunctionKind.KERNEL:
                return self.preparation.kernels.pullback(call, active)
            self._check_halves(call, active)
            updates = []
            for i in active:
                a = call.arguments[i]
                is_pointer = isinstance(a, core.PointerArgument)
                updates.append(accumulation.update(a.root) if is_pointer else Update.PLAIN)  # type: ignore[union-attr]
            return self.request(call, active, tuple(updates))

        function, kernels = prepared.function, self.preparation.kernels
        thins = bool(self.options.budget) and function.symbol is self.program.entry
        varies = function.symbol is self.program.entry and not split and not self.options.trace_nonfinite
        plan = Plan(
            accumulation,
            promised.fresh,
            promised.consumed,
            varying,
            request,
            lambda call: self.forward(call, prepared.needs),
            kernels.is_repeatable,
            split,
            find_replays(function, prepared.needs, may_alias=self.options.may_alias) if thins else None,
            kept_values=self._keeping(function) if varies else never_kept,
            renewing=self._renewing(function) if varies else never_renewed,
            traced=self.options.trace_nonfinite,
        )
        guards = discarded(function, may_alias=self.options.may_alias, called=function.symbol is not self.program.entry)
        overlap = self.options.may_alias
        sweep = Sweep(function, prepared.activity, prepared.needs, plan, self.sink, guards, may_alias=overlap)
        body = sweep.run(seeds)
        self.sink.raise_if_errors()
        return body, sweep

    def _keeping(self, function: core.Function) -> Callable[[core.Call, tuple[int, ...]], LaunchInTwo | None]:
        """Under a budget steps are made again instead, and in two halves the variables of the first may change."""
        kernels = self.preparation.kernels
        if self.options.budget:
            return never_kept
        overwritten = find_overwritten(function, may_alias=self.options.may_alias)
        renewing = self._renewing(function)

        def keeping(call: core.Call, active: tuple[int, ...]) -> LaunchInTwo | None:
            changing = overwritten.positions(call, kernels.pullback(call, active).reads)
            renewing(call, active)
            made = kernels.kept_values(call, active, changing) if changing else None
            if made is None:
                return None
            renewed = "" if made.renewing is None else made.renewing.name
            return LaunchInTwo(made.keep.name, made.reverse.name, made.types, changing, renewed)

        return keeping

    def _renewing(self, function: core.Function) -> Callable[[core.Call, tuple[int, ...]], RenewingLaunch | None]:
        kernels = self.preparation.kernels

        def renewed(call: core.Call, active: tuple[int, ...]) -> RenewingLaunch | None:
            kernels.pullback(call, active)
            launch = kernels.renewing(call, active, lambda offered: exchanges(function, call, offered))
            return launch if launch is not None and is_apart(call, active, launch) else None

        return renewed

    def _check_halves(self, call: core.Call, active: tuple[int, ...]) -> None:
        """A pullback adds to floats where its primal reads halves; the adjoint of a class with halves has none."""
        passed = (call.arguments[i] for i in active)
        if not any(isinstance(a, core.PointerArgument) and is_half(a.root.adjoint_cell) for a in passed):
            return
        if not self.policy.recursive(call.callee) and not self.policy.is_custom(call.callee):
            raise Restart(self.policy.decisions.inlined(call.callee))
        self.sink.error(
            "CP0519",
            f"'{call.callee.name}' is given halves whose adjoints lie in a class: the derivative adds to floats",
            call.span,
            hint="pass a pointer to the halves as an argument of the kernel's own: its adjoint is a pointer to float",
        )
        self.sink.raise_if_errors()

    def build(self, active: tuple[int, ...], globals: tuple[Symbol, ...], name: str) -> Gradient:
        symbol = self.program.entry
        kernel = symbol.kind is FunctionKind.KERNEL
        prepared = self.preparation.prepare(symbol, active)
        function, activity = prepared.function, prepared.activity
        if not self.launched:
            check_flow(prepared, active, globals, self.integers, self.sink)
        if self.options.budget:
            self._check_budget(symbol, function.span)
        accesses = races.collect(function, activity.values, self.preparation.call_summaries(prepared))
        promised = promised_roots(prepared, self.options)
        accumulation, exact = self._accumulated(prepared, active, accesses, promised)
        seeds = seed_parts(function)
        besides = adjoints_beside(function, active)
        own = {(b.parameter, b.member.offset): b.name for b in besides}
        split = self.options.split and symbol.kind is FunctionKind.HOST
        declared = (b.declared(function.parameters[b.parameter]) for b in besides)
        self.optional = frozenset(c for p in declared for q in p.parts if isinstance(c := q.content, core.Root))
        swept, sweep = self.swept(prepared, accumulation, promised, seeds, own)
        self.backgrounds[name] = Background(prepared, accumulation, sweep.adjoints.adjoint, promised)
        block = self.finished(swept, function)
        better: tuple[core.Expr, code.Block] | None = None
        traced = self.options.trace_nonfinite  # nothing is moved, and each block is one of the original
        bounded = accumulation.bounded is not None and not traced
        if bounded and can_be_repeated(function) and constant_capacity(sweep) == 0:
            assert accumulation.bounded is not None
            within = merged(accumulation.bounded, accumulation)
            better = premise(within, accumulation), self.swept(prepared, within, promised, seeds, own)[0]
            block = (code.Branch(better[0], self.finished(better[1], function), block),)
        capacity = constant_capacity(sweep)
        logs = any(s.storage for s in all_statements(block) if isinstance(s, code.CallPullback))
        if logs or (capacity is not None and capacity > LOCAL_TAPE):
            capacity = None
        taped = capacity is None
        resident = kernel and not traced and not self.questions.asks_for_block(prepared)
        how = replace(self._context(function), accesses=accesses, resident=resident, taped=taped)
        made = launched(block, how)
        block = made.body
        capacity = None if has_rows(block) else capacity

        parameters = self._parameters(function, active, globals, besides, seeds)
        count: code.Block = ()
        result: core.Expr | None = None
        whole_grid = count_at_launch = False
        if capacity is None and not kernel:
            self._check_tape(function)
        if capacity is None and kernel:
            whole_grid = self._needs_whole_grid(prepared) or traced
            if not self.growable:
                known = None if logs else known_at_launch(sweep)
                count_at_launch = known is not None
                count, result = known or counted(prepared, sweep, self.sink, may_alias=self.options.may_alias)
        if not kernel:
            block = with_settled_adjoints(block)
        main = code.Function(
            name,
            code.FunctionRole.KERNEL if kernel else code.FunctionRole.HOST,
            parameters,
            block,
            function,
            capacity,
            count,
            result,
            count_at_launch,
            whole_grid,
            guarded=any(
                isinstance(t, code.Define) and isinstance(t.init, code.Together) and t.init.name == "__activemask"
                for t in all_statements(count)
            ),
            heap=tuple(v.roots[0] for v in function.heap if v.roots),
            scratch=tuple(sorted(activity.scratch, key=lambda r: r.position or 0)),
            waits=self.questions.waits(function),
            budget=self.options.budget,
            standing=made.standing,
            staged=made.staged,
            overlaps=self.options.may_alias,
            logs=logs,
            teams=made.teams,
            split=divided(block, function, self.options.may_alias, self.sink) if split else None,
        )
        as_it_is = replace(main, body=made.each, standing=0, staged=())  # on the grid of the original
        variants = Variants(self, prepared, accumulation, accesses, seeds, own, promised, as_it_is, swept, better)
        self.sink.raise_if_errors()
        adjoints = tuple(
            AdjointGlobal(f"{name}_d_{given}", g, self.policy.globals.roots(g), kernel or self._is_passed(g))
            for g, given in zip(globals, identifiers([g.name for g in globals]), strict=True)
            if not self.launched
        )
        recursive = any(self.policy.recursive(key[0]) for key in self.pullbacks) or bool(self.forwards)
        gradient = Gradient(
            (*self.done, main),
            function,
            accumulation.single,
            adjoints,
            besides,
            recursive,
            self.backgrounds,
            exact,
            tuple(self.preparation.kernels.gradients.values()),
            self.questions.given_to_device(function),
            variants.in_its_place() if kernel and not traced else (),
            variants if self.launched and not traced else None,
        )
        if self.options.split and kernel:
            kept = kept_parameters(function, gradient.written, gradient.found, self.options.may_alias, self.sink)
            self.sink.raise_if_errors()
            gradient = replace(gradient, functions=(*self.done, replace(main, kept=kept)))
        return gradient

    def _accumulated(
        self, prepared: Prepared, active: tuple[int, ...], accesses: races.Accesses, promised: Promised
    ) -> tuple[races.Accumulation, tuple[ExactBuffer, ...]]:
        """How adjoints are added to, and what exact sums are added to in the end."""
        function, shadowed = prepared.function, prepared.activity.shadowed
        kernel = function.symbol.kind is FunctionKind.KERNEL
        accumulation = races.accumulate(
            function,
            shadowed,
            accesses,
            single_thread=not kernel,
            unproved=self._unproved(),
            unread=self.questions.unread(function),
            promised=promised.fresh | promised.consumed | _told_apart(shadowed, accesses, all=self.launched),
        )
        if prepared.needs.repeated:  # what is put back has owners in a block of one dimension
            accumulation = replace(accumulation, single=accumulation.single | PLANES)
        check_promises(prepared, self.options, self.sink)
        if not kernel or self.options.accumulate != "deterministic":
            return accumulation, ()
        found = exactly_summed(prepared, accumulation, active, self.policy, self.sink)
        self.sink.raise_if_errors()
        return found

    def _parameters(
        self,
        function: core.Function,
        active: tuple[int, ...],
        globals: tuple[Symbol, ...],
        besides: tuple[AdjointBeside, ...],
        seeds: tuple[core.Part, ...],
    ) -> tuple[code.Parameter, ...]:
        parameters = primal_parameters(function)
        for i in active:
            p = function.parameters[i]
            parts = tuple(part for part in p.parts if part.own is None)
            parameters.append(code.Parameter(f"_d_{p.name}", adjoint_type(p.type), parts, adjoint=True))
        if seeded(function.symbol.result, self.integers):
            parameters.append(code.Parameter("_d_return", adjoint_value(function.symbol.result), seeds))
        parameters += [b.declared(function.parameters[b.parameter]) for b in besides]
        if self.launched:
            parameters += self._adjoints_of_variables(globals, {p.name for p in parameters})
        return tuple(parameters)

    def _check_tape(self, function: core.Function) -> None:
        """Of a function with loops that keep more than a tape of its own holds."""
        symbol = function.symbol
        if self.growable or symbol.kind is FunctionKind.HOST:
            return
        self.sink.error(
            "CP0506",
            f"a loop of '{symbol.name}' keeps state for an unknown number of steps, for which a device function "
            "has no memory",
            function.span,
            hint="differentiate the kernel that calls it, or give the loop a constant bound",
        )
        self.sink.raise_if_errors()

    def _context(self, function: core.Function) -> Context:
        options, symbol = self.options, function.symbol
        kernel, overlaps = symbol.kind is FunctionKind.KERNEL, options.may_alias
        return Context(
            function,
            self.optional,
            kernel,
            True,
            overlaps,
            options.trace_nonfinite,
            one_by_one=self._one_by_one(symbol),
        )

    def finished(self, swept: code.Block, function: core.Function, *, whole: bool = True) -> code.Block:
        """`whole` says that it is a gradient, and no part of one."""
        return finished(swept, replace(self._context(function), whole=whole))

    def swept(
        self,
        prepared: Prepared,
        accumulation: races.Accumulation,
        promised: Promised,
        seeds: tuple[core.Part, ...],
        own: Mapping[tuple[int, int], str],
    ) -> tuple[code.Block, Sweep]:
        """The body of the gradient, before it is tidied."""
        function = prepared.function
        kernel = function.symbol.kind is FunctionKind.KERNEL
        varying = varying_lanes(function) if kernel else None
        split = self.options.split and function.symbol.kind is FunctionKind.HOST
        body, sweep = self.sweep(prepared, accumulation, promised, seeds, varying, split)
        body += self.scalars(prepared, sweep, own)
        return joined(body, replace(self._context(function), beside=accumulation.beside)), sweep

    def scalars(self, prepared: Prepared, sweep: Sweep, own: Mapping[tuple[int, int], str]) -> list[code.Statement]:
        """Adds to the adjoints of numbers, at the end of the gradient."""
        kernel = prepared.function.symbol.kind is FunctionKind.KERNEL
        deterministic = self.options.accumulate == "deterministic"
        summed = Update.ATOMIC if self.options.trace_nonfinite else Update.REDUCED
        scalars = Update.PLAIN if not kernel else Update.EXACT if deterministic else summed
        return scalar_adjoints(prepared, sweep, scalars, own, () if kernel else self.options.fresh)

    def _one_by_one(self, symbol: FunctionSymbol) -> str:
        """Why no loop of a host function is run by several threads, as its original is."""
        if symbol.kind is not FunctionKind.HOST:
            return "it may run on a device"
        if self.options.accumulate == "deterministic":
            return "accumulate=deterministic: sums of several threads are rounded otherwise each time"
        if self.options.split:
            return "the two halves of a split gradient run on one thread"
        if self.options.trace_nonfinite:
            return "trace_nonfinite: what is infinite or no number is looked for in one order"
        return "arguments may overlap" if self.options.may_alias else ""

    def _is_passed(self, variable: Symbol) -> bool:
        return self.policy.kernels is not None and self.policy.kernels.is_passed(variable)

    def _adjoints_of_variables(self, globals: tuple[Symbol, ...], taken: set[str]) -> list[code.Parameter]:
        """Of a kernel that a host function launches, which has the memory of these adjoints."""
        found: list[code.Parameter] = []
        for g, given in zip(globals, identifiers([g.name for g in globals]), strict=True):
            name = f"_d_{given}"
            while name in taken:
                name += "_"
            taken.add(name)
            type = Pointer(adjoint_value(element_of(g.type)))
            parts = tuple(core.Part(root) for root in self.policy.globals.roots(g))
            found.append(code.Parameter(name, type, parts, adjoint=True))
        return found

    def _check_budget(self, symbol: FunctionSymbol, span: Span) -> None:
        """Steps are made again by what makes them; in the two halves that would find the variables of the second."""
        if not self.policy.is_program(symbol):
            self.sink.error(
                "CP0317",
                f"checkpoint={self.options.checkpoint}: '{symbol.name}' is no host function that launches kernels",
                span,
                hint="differentiate the function that launches, or leave the option out",
            )
        elif self.options.split:
            self.sink.error(
                "CP0318",
                f"checkpoint={self.options.checkpoint}: a gradient in two halves keeps all that is overwritten",
                span,
                hint="take the gradient as a whole, or leave the option out",
            )
        self.sink.raise_if_errors()

    def _unproved(self) -> Reason | None:
        """Why no update may be plain, whatever could be proved."""
        if self.options.may_alias:
            return OVERLAP
        return NO_PROOFS if self.options.accumulate == "atomic" else None

    def _needs_whole_grid(self, prepared: Prepared) -> bool:
        """With a workspace blocks are logical, and only the kernel itself knows which one it is: what asks for its
        block is inlined. Where that cannot be, in recursion and where a user's pullback might ask, every logical
        block gets a physical one of its own."""
        calls = [s for s in statements(prepared.function.body) if isinstance(s, core.Call)]
        asking = {c.callee for c in calls if self.questions.callee_reads(c.callee, BLOCK)}
        more = {c for c in asking if not self.policy.recursive(c) and not self.policy.is_custom(c)}
        if more - self.policy.decisions.inline:
            raise Restart(self.policy.decisions.inlined(*more))
        return bool(asking) or any(self.policy.is_custom(c.callee) for c in calls)


def _told_apart(shadowed: frozenset[core.Root], accesses: races.Accesses, *, all: bool) -> frozenset[core.Root]:
    """The buffers of which it matters whether their accesses are to different elements: it may spare waiting. Of a
    kernel that is launched it matters of `all`."""
    return frozenset(
        root
        for root in shadowed
        if root.kind is core.RootKind.ARGUMENT
        and (1 if all else 2) <= len(accesses.by_root.get(root, ())) <= MOST_TOLD_APART
        and not any(isinstance(here, core.Loop) for a in accesses.by_root[root] for here, _ in a.around)
    )


def _none(call: core.Call, active: tuple[int, ...]) -> PullbackReference:
    raise AssertionError("a forward function calls no pullbacks")


def build_gradient(
    program: s.Program,
    active: tuple[int, ...],
    globals: tuple[Symbol, ...],
    name: str,
    options: Options,
    sink: Sink,
    *,
    integers: bool,
    growable: bool,
    launched: bool = False,
    operands: bool = False,
) -> Gradient:
    """The gradient of the program's entry by the parameters at the positions `active` and the variables `globals`.

    `integers` says that an integer argument is among them; `growable` that the tape can grow at run time, so that
    nothing has to be counted; `operands` that the reverse sweep has all that statements read. Raises
    DifferentiationError.
    """
    plain = replace(options, fresh=(), consumed=(), split=False, checkpoint="auto")

    def build(
        kernel: s.Program, positions: tuple[int, ...], variables: tuple[Symbol, ...], named: str, shared: Overlap
    ) -> Gradient:
        mine = replace(plain, may_alias=plain.may_alias or shared is Overlap.WRITTEN)
        if shared is Overlap.READ and mine.accumulate == "auto":  # what is added by two arguments may meet
            mine = replace(mine, accumulate="atomic")
        return build_gradient(
            kernel,
            positions,
            variables,
            named,
            mine,
            sink,
            integers=integers,
            growable=growable,
            launched=True,
            operands=operands,
        )

    kernels = Kernels(program, plain, sink, build, globals)
    asked = Policy(
        program.functions,
        program.custom_pullbacks,
        options.may_alias,
        {c.primal_name: c for c in program.custom_forwards},
        kernels=kernels,
    )

    def attempt(decisions: Decisions) -> Gradient:
        kernels.clear()
        policy = replace(asked, decisions=decisions)
        questions = Questions(program, policy)
        preparation = Preparation(program, policy, questions, options, globals, integers, sink, kernels, operands)
        builder = Builder(program, policy, questions, options, integers, sink, preparation, growable, launched)
        return builder.build(active, globals, name)

    return decided(attempt)
