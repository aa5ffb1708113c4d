"""The gradient of the function asked for, or of a kernel that it launches: its body, its parameters, what it keeps, and
what launches may run in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count

from cladpy.adjoint.builder import LOCAL_TAPE, Builder
from cladpy.adjoint.counting import constant_capacity, counted
from cladpy.adjoint.deterministic import ExactBuffer, exactly_summed
from cladpy.adjoint.gradient import AdjointGlobal, Background, Gradient
from cladpy.adjoint.launch_counts import known_at_launch
from cladpy.adjoint.loops_as_they_are import as_it_is, check_loops, indices_of, launched_kernels
from cladpy.adjoint.parameters import adjoints_beside, primal_parameters, scalar_adjoints, seed_parts
from cladpy.adjoint.promises import Promised, check_flow, check_promises, promised_roots
from cladpy.adjoint.questions import BLOCK
from cladpy.adjoint.renewal import (
    with_settled_adjoints,
)
from cladpy.adjoint.split import divided, kept_parameters
from cladpy.adjoint.sweep import Sweep
from cladpy.adjoint.variants import Variants
from cladpy.analysis import races
from cladpy.analysis.dimensions import PLANES
from cladpy.analysis.flow import seeded
from cladpy.analysis.reasons import NO_PROOFS, OVERLAP, Reason
from cladpy.analysis.warps import varying_in_whole_warps
from cladpy.diagnostics import Sink, Span
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements
from cladpy.ir.customs import adjoint_type
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Symbol
from cladpy.ir.types import Pointer
from cladpy.ir.walk import statements
from cladpy.normalize import Restart
from cladpy.normalize.places import element_of
from cladpy.passes.at_once import has_rows
from cladpy.passes.order import Launched, joined, launched
from cladpy.request import identifiers
from cladpy.variants.bounded import can_stand_twice, merged, premise

MOST_TOLD_APART = 32  # accesses


@dataclass(frozen=True, slots=True)
class _Body:
    """Before it is tidied (`swept`) and as it is; under a condition, `better` takes its place."""

    swept: code.Block
    sweep: Sweep
    better: tuple[core.Expr, code.Block] | None
    laid_out: Launched
    capacity: int | None  # of the tape; None where that is found at run time
    logs: bool  # whether what it calls stores to a log

    @property
    def block(self) -> code.Block:
        return self.laid_out.body


@dataclass(frozen=True, slots=True)
class _Counted:
    """How a launch learns what a thread keeps."""

    count: code.Block = ()
    result: core.Expr | None = None
    at_launch: bool = False
    whole_grid: bool = False


class Entry:
    """What its parts are made from. `active` are the positions of the parameters that have adjoints, `globals` the
    variables at namespace scope that do."""

    def __init__(
        self,
        builder: Builder,
        active: tuple[int, ...],
        globals: tuple[Symbol, ...],
        name: str,
        own: frozenset[core.Root] = frozenset(),
    ) -> None:
        """No two threads come to one element of the memory `own`, of a function that is part of another."""
        self._builder, self._active, self._globals, self._name = builder, active, globals, name
        self._options, self._sink = builder.options, builder.sink
        symbol = builder.program.entry
        self._is_kernel = symbol.kind is FunctionKind.KERNEL
        self._split = self._options.split and symbol.kind is FunctionKind.HOST
        # nothing is moved then, and each block is one of the original
        self._stays_put = builder.stays_put
        self.prepared = builder.preparation.prepare(symbol, active)
        self.function = self.prepared.function
        if not builder.launched and not own:
            check_flow(self.prepared, active, globals, builder.integers, self._sink)
        if self._options.budget:
            self._check_budget(symbol, self.function.span)
        calls = builder.preparation.call_summaries(self.prepared)
        self.accesses = races.collect(self.function, self.prepared.activity.values, calls)
        self.promised = promised_roots(self.prepared, self._options)
        self.accumulation, self._exact = self._accumulated()
        updates = {**self.accumulation.updates, **dict.fromkeys(own, Update.PLAIN)}
        self.accumulation = replace(self.accumulation, updates=updates)
        self.seeds = seed_parts(self.function)
        self._besides = adjoints_beside(self.function, active)
        self.own = {(b.parameter, b.member.offset): b.name for b in self._besides}
        declared = (b.declared(self.function.parameters[b.parameter]) for b in self._besides)
        builder.optional = frozenset(c for p in declared for q in p.parts if isinstance(c := q.content, core.Root))

    def gradient(self) -> Gradient:
        builder, function, accumulation = self._builder, self.function, self.accumulation
        body = self._body()
        main = self._main(body)
        as_it_is = replace(
            main, body=body.laid_out.each, standing=0, privatised=(), plain=()
        )  # on the grid of the original
        variants = Variants(builder, self, as_it_is, body.swept, body.better)
        self._sink.raise_if_errors()
        kernels = tuple(builder.preparation.kernels.gradients.values())
        gradient = Gradient(
            (*builder.done, main),
            function,
            accumulation.single,
            self._adjoints_of_globals(),
            self._besides,
            any(builder.policy.recursive(key[0]) for key in builder.pullbacks) or bool(builder.forwards),
            builder.backgrounds,
            self._exact,
            kernels,
            builder.questions.given_to_device(function),
            variants.in_its_place() if self._is_kernel and not self._stays_put else (),
            variants if builder.launched and not self._stays_put else None,
            loops=self._loops(main) if builder.portable else (),
        )
        if self._options.split and self._is_kernel:
            kept = kept_parameters(function, gradient.written, gradient.found, self._options.may_alias, self._sink)
            self._sink.raise_if_errors()
            gradient = replace(gradient, functions=(*builder.done, replace(main, kept=kept)))
        return gradient

    def _loops(self, main: code.Function) -> tuple[tuple[FunctionSymbol, code.Function], ...]:
        """The kernels that the gradient launches as they are."""
        builder, taken = self._builder, {g.main.name for g in self._builder.preparation.kernels.gradients.values()}
        found = []
        for symbol in launched_kernels(main):
            base = identifiers([symbol.name])[0]
            name = next(n for n in chain((base,), (f"{base}_{i}" for i in count(2))) if n not in taken)
            taken.add(name)
            found.append((symbol, as_it_is(symbol, name, builder.preparation)))
        self._sink.raise_if_errors()
        return tuple(found)

    def of_rest(self, rest: core.Function) -> tuple[code.Function, frozenset[BuiltinVar]] | None:
        """The gradient of what is left of the kernel, in terms of memory that its last parameter leads to, and the
        extents of the launch that must be 1; None where that takes more than a kernel on the grid of the original."""
        sink = Sink(self._sink.texts)
        preparation = replace(self._builder.preparation, sink=sink, entry=rest, prepared={}, summaries={})
        again = replace(
            self._builder,
            sink=sink,
            preparation=preparation,
            pullbacks={},
            forwards={},
            done=[],
            names=set(),
            backgrounds={},
        )
        last = len(rest.parameters) - 1
        own = frozenset(c for c in rest.parameters[last].contents if isinstance(c, core.Root))
        try:
            entry = Entry(again, (*self._active, last), self._globals, f"{self._name}_epilogue", own)
            body = entry._body()
        except Restart:
            return None
        plain = body.capacity == 0 and not body.logs and not again.done and not entry._exact
        if not plain:
            return None
        made = replace(entry._main(body), body=body.laid_out.each, standing=0, privatised=())
        return made, entry.accumulation.single

    # ---- the body --------------------------------------------------------------------------------------------------

    def _body(self) -> _Body:
        builder, function, accumulation = self._builder, self.function, self.accumulation
        swept, sweep = self.swept(accumulation, self.promised)
        builder.backgrounds[self._name] = Background(self.prepared, accumulation, sweep.adjoints.adjoint, self.promised)
        block = builder.finished(swept, function)
        better: tuple[core.Expr, code.Block] | None = None
        bounded = None if self._stays_put else accumulation.bounded
        if bounded is not None and can_stand_twice(function):
            within = merged(bounded, accumulation)
            better = premise(within, accumulation), self.swept(within, self.promised)[0]
            block = (code.Branch(better[0], builder.finished(better[1], function), block),)
        capacity = constant_capacity(sweep)
        logs = any(s.storage for s in all_statements(block) if isinstance(s, code.CallPullback))
        if logs or (capacity is not None and capacity > LOCAL_TAPE):
            capacity = None
        resident = self._is_kernel and not self._stays_put and not builder.questions.asks_for_block(self.prepared)
        context = builder.context(function)
        made = launched(block, replace(context, accesses=self.accesses, resident=resident, taped=capacity is None))
        return _Body(swept, sweep, better, made, None if has_rows(made.body) else capacity, logs)

    def swept(self, accumulation: races.Accumulation, promised: Promised) -> tuple[code.Block, Sweep]:
        """The body of the gradient, before it is tidied."""
        varying = varying_in_whole_warps(self.function) if self._is_kernel and not self._builder.portable else None
        body, sweep = self._builder.sweep(self.prepared, accumulation, promised, self.seeds, varying, self._split)
        body += self.scalars(sweep)
        return joined(body, replace(self._builder.context(self.function), beside=accumulation.beside)), sweep

    def scalars(self, sweep: Sweep) -> list[code.Statement]:
        """Adds to the adjoints of numbers, at the end of the gradient."""
        deterministic = self._options.accumulate == "deterministic"
        summed = Update.ATOMIC if self._stays_put else Update.REDUCED
        scalars = Update.PLAIN if not self._is_kernel else Update.EXACT if deterministic else summed
        return scalar_adjoints(self.prepared, sweep, scalars, self.own, () if self._is_kernel else self._options.fresh)

    def _accumulated(self) -> tuple[races.Accumulation, tuple[ExactBuffer, ...]]:
        """How adjoints are added to, and what exact sums are added to in the end."""
        builder, prepared, promised = self._builder, self.prepared, self.promised
        shadowed = prepared.activity.shadowed
        told_apart = _told_apart(shadowed, self.accesses, all=builder.launched)
        accumulate = partial(
            races.accumulate,
            self.function,
            shadowed,
            self.accesses,
            single_thread=not self._is_kernel,
            unread=builder.questions.unread(self.function),
            promised=promised.fresh | promised.consumed | told_apart,
        )
        accumulation = accumulate(unproved=self._unproved())
        if builder.portable and not accumulation.single.isdisjoint(indices_of(self.function.symbol)):
            accumulation = accumulate(unproved=NO_PROOFS)  # a loop has more than one iteration along each of its axes
        if prepared.needs.repeated:  # what is put back has owners in a block of one dimension
            accumulation = replace(accumulation, single=accumulation.single | PLANES)
        check_promises(prepared, self._options, self._sink)
        if not self._is_kernel or self._options.accumulate != "deterministic":
            return accumulation, ()
        found = exactly_summed(prepared, accumulation, self._active, builder.policy, self._sink)
        self._sink.raise_if_errors()
        return found

    # ---- what it takes, keeps and does besides ----------------------------------------------------------------------

    def _main(self, body: _Body) -> code.Function:
        function, options = self.function, self._options
        parameters = self._parameters()
        counted = self._counted(body)
        block = body.block if self._is_kernel else with_settled_adjoints(body.block)
        return code.Function(
            self._name,
            code.FunctionRole.KERNEL if self._is_kernel else code.FunctionRole.HOST,
            parameters,
            block,
            function,
            body.capacity,
            counted.count,
            counted.result,
            counted.at_launch,
            counted.whole_grid,
            guarded=any(
                isinstance(t, code.Define) and isinstance(t.init, code.Together) and t.init.name == "__activemask"
                for t in all_statements(counted.count)
            ),
            heap=tuple(v.roots[0] for v in function.heap if v.roots),
            scratch=tuple(sorted(self.prepared.activity.scratch, key=lambda r: r.position or 0)),
            waits=self._builder.questions.waits(function),
            budget=options.budget,
            standing=body.laid_out.standing,
            privatised=body.laid_out.privatised,
            overlaps=options.may_alias,
            plain=body.laid_out.plain if self._is_kernel and not self._stays_put else (),
            logs=body.logs,
            teams=body.laid_out.teams,
            split=divided(block, function, options.may_alias, self._sink) if self._split else None,
        )

    def _counted(self, body: _Body) -> _Counted:
        found = self._counted_by_launch(body)
        if self._builder.portable:
            check_loops(self.function, found.count, self._builder.done, self._sink)
        return found

    def _counted_by_launch(self, body: _Body) -> _Counted:
        if body.capacity is not None:
            return _Counted()
        if not self._is_kernel:
            self._check_tape()
            return _Counted()
        whole_grid = self._needs_whole_grid() or self._stays_put
        if self._builder.growable and not self._builder.portable:
            return _Counted(whole_grid=whole_grid)
        known = None if body.logs or self._builder.portable else known_at_launch(body.sweep)
        found = known or counted(self.prepared, body.sweep, self._sink, may_alias=self._options.may_alias)
        return _Counted(*found, known is not None, whole_grid)

    def _parameters(self) -> tuple[code.Parameter, ...]:
        function = self.function
        parameters = primal_parameters(function)
        for i in self._active:
            p = function.parameters[i]
            parts = tuple(part for part in p.parts if part.own is None)
            parameters.append(code.Parameter(f"_d_{p.name}", adjoint_type(p.type), parts, adjoint=True))
        if seeded(function.symbol.result, self._builder.integers):
            parameters.append(code.Parameter("_d_return", adjoint_value(function.symbol.result), self.seeds))
        parameters += [b.declared(function.parameters[b.parameter]) for b in self._besides]
        if self._builder.launched:
            parameters += self._adjoints_of_variables({p.name for p in parameters})
        return tuple(parameters)

    def _adjoints_of_variables(self, taken: set[str]) -> list[code.Parameter]:
        """Of a kernel that a host function launches, which has the memory of these adjoints."""
        found: list[code.Parameter] = []
        for g, given in zip(self._globals, identifiers([g.name for g in self._globals]), strict=True):
            name = f"_d_{given}"
            while name in taken:
                name += "_"
            taken.add(name)
            type = Pointer(adjoint_value(element_of(g.type)))
            parts = tuple(core.Part(root) for root in self._builder.policy.globals.roots(g))
            found.append(code.Parameter(name, type, parts, adjoint=True))
        return found

    def _adjoints_of_globals(self) -> tuple[AdjointGlobal, ...]:
        policy, names = self._builder.policy, identifiers([g.name for g in self._globals])
        kernels = policy.kernels
        return tuple(
            AdjointGlobal(
                f"{self._name}_d_{given}",
                g,
                policy.globals.roots(g),
                self._is_kernel or (kernels is not None and kernels.is_passed(g)),
            )
            for g, given in zip(self._globals, names, strict=True)
            if not self._builder.launched
        )

    # ---- what is asked of it -----------------------------------------------------------------------------------------

    def _unproved(self) -> Reason | None:
        """Why no update may be plain, whatever could be proved."""
        if self._options.may_alias:
            return OVERLAP
        return NO_PROOFS if self._options.accumulate == "atomic" else None

    def _needs_whole_grid(self) -> bool:
        """With a workspace blocks are logical, and only the kernel itself knows which one it is: what asks for its
        block is inlined. Where that cannot be, in recursion and where a user's pullback might ask, every logical
        block gets a physical one of its own."""
        policy, questions = self._builder.policy, self._builder.questions
        calls = [s for s in statements(self.function.body) if isinstance(s, core.Call)]
        asking = {c.callee for c in calls if questions.callee_reads(c.callee, BLOCK)}
        more = {c for c in asking if not policy.recursive(c) and not policy.is_custom(c)}
        if more - policy.decisions.inline:
            raise Restart(policy.decisions.inlined(*more))
        return bool(asking) or any(policy.is_custom(c.callee) for c in calls)

    def _check_tape(self) -> None:
        """Of a function with loops that keep more than a tape of its own holds."""
        symbol = self.function.symbol
        if self._builder.growable or symbol.kind is FunctionKind.HOST:
            return
        self._sink.error(
            "CP0506",
            f"a loop of '{symbol.name}' keeps state for an unknown number of steps, for which a device function "
            "has no memory",
            self.function.span,
            hint="differentiate the kernel that calls it, or give the loop a constant bound",
        )
        self._sink.raise_if_errors()

    def _check_budget(self, symbol: FunctionSymbol, span: Span) -> None:
        """Steps are made again by what makes them; in the two halves that would find the variables of the second."""
        if not self._builder.policy.is_program(symbol):
            self._sink.error(
                "CP0317",
                f"checkpoint={self._options.checkpoint}: '{symbol.name}' is no host function that launches kernels",
                span,
                hint="differentiate the function that launches, or leave the option out",
            )
        elif self._options.split:
            self._sink.error(
                "CP0318",
                f"checkpoint={self._options.checkpoint}: a gradient in two halves keeps all that is overwritten",
                span,
                hint="take the gradient as a whole, or leave the option out",
            )
        self._sink.raise_if_errors()


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
