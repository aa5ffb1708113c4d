"""How the functions of a gradient are made: sweeps, pullbacks of what is called, forward functions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from string import ascii_lowercase

from cladpy.adjoint.counting import constant_capacity
from cladpy.adjoint.custom import custom_pullback
from cladpy.adjoint.forward import forward_function
from cladpy.adjoint.gradient import Background
from cladpy.adjoint.parameters import primal_parameters, scalar_adjoints, seed_parts
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
from cladpy.adjoint.promises import NOTHING_PROMISED, Promised
from cladpy.adjoint.questions import Questions
from cladpy.adjoint.renewal import (
    exchanges,
    is_apart,
)
from cladpy.adjoint.sweep import Sweep
from cladpy.analysis import races
from cladpy.analysis.dimensions import NO_EXTENTS
from cladpy.analysis.discarded import discarded
from cladpy.analysis.exactness import everything
from cladpy.analysis.overwritten import find_overwritten
from cladpy.analysis.replays import find_replays
from cladpy.analysis.to_be_recorded import Needs
from cladpy.analysis.uniform import Varying
from cladpy.diagnostics import Sink
from cladpy.ir import code, core
from cladpy.ir import surface as s
from cladpy.ir.code import Update
from cladpy.ir.customs import adjoint_type
from cladpy.ir.halves import adjoint_value
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import is_half
from cladpy.ir.walk import statements
from cladpy.normalize import Policy, Restart
from cladpy.options import Options
from cladpy.passes.order import Context, called, finished, launched
from cladpy.request import identifiers

# A tape of at most this many slots of eight bytes is a local array.
LOCAL_TAPE = 512


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
    portable: bool = False  # whether kernels become loops of a library: nothing may be said of warps and blocks
    pullbacks: dict[tuple[FunctionSymbol, tuple[int, ...], tuple[Update, ...]], _Pullback] = field(default_factory=dict)
    forwards: dict[FunctionSymbol, ForwardReference] = field(default_factory=dict)
    done: list[code.Function] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    backgrounds: dict[str, Background] = field(default_factory=dict)
    optional: frozenset[core.Root] = frozenset()  # memory whose adjoint may not be there

    @property
    def stays_put(self) -> bool:
        """Whether what the sweeps have written stays where it is, and each adjoint is added by its own thread."""
        return self.options.trace_nonfinite or self.portable

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
        base = identifiers([f"{call.callee.name.rstrip('_')}_pullback"])[0]
        return self._unused(base + "".join(f"_{p}" for p in positions))

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
            name = self._unused(identifiers([f"{symbol.name.rstrip('_')}_forward"])[0])
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
        context = replace(self.context(function), rows=False)
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
        varies = function.symbol is self.program.entry and not split and not self.stays_put
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

    def context(self, function: core.Function) -> Context:
        options, symbol = self.options, function.symbol
        kernel, overlaps = symbol.kind is FunctionKind.KERNEL, options.may_alias
        return Context(
            function,
            self.optional,
            kernel,
            True,
            overlaps,
            self.stays_put,
            one_by_one=self._one_by_one(symbol),
        )

    def finished(self, swept: code.Block, function: core.Function, *, whole: bool = True) -> code.Block:
        """`whole` says that it is a gradient, and no part of one."""
        return finished(swept, replace(self.context(function), whole=whole))

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


def _none(call: core.Call, active: tuple[int, ...]) -> PullbackReference:
    raise AssertionError("a forward function calls no pullbacks")
