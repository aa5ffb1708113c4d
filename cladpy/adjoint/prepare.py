"""Preparing a function for its gradient: normalised and analysed, with the calls inlined that must be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from cladpy import known
from cladpy.adjoint.across_calls import compared_across
from cladpy.adjoint.atomics import check_atomics
from cladpy.adjoint.by_element import by_element
from cladpy.adjoint.carried_elements import with_carried_elements
from cladpy.adjoint.counted_ties import with_counts
from cladpy.adjoint.custom import custom_pullback
from cladpy.adjoint.earlier_times import check_earlier_times
from cladpy.adjoint.kernels import Kernels
from cladpy.adjoint.lifted_choices import with_lifted_choices
from cladpy.adjoint.outside_sums import with_outside_sums
from cladpy.adjoint.preaccumulation import preaccumulated
from cladpy.adjoint.questions import Questions
from cladpy.adjoint.ties import with_ties
from cladpy.adjoint.turned_signs import with_turned_signs
from cladpy.analysis import races
from cladpy.analysis.activity import Activity, analyse
from cladpy.analysis.discarded import discarded
from cladpy.analysis.exchanges import check_exchanges
from cladpy.analysis.flow import seeded
from cladpy.analysis.lanes import with_lanes
from cladpy.analysis.leaning import with_waits
from cladpy.analysis.tiles import with_scopes
from cladpy.analysis.to_be_recorded import Needs, keep_overwritten
from cladpy.analysis.uniform import Control, calls_deciding, divergent_barriers, is_by_thread_alone
from cladpy.analysis.unordered import in_step
from cladpy.diagnostics import Note, Sink
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.reach import reached, stored, touched
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Space, Symbol
from cladpy.ir.types import Pointer, Reference
from cladpy.ir.walk import statements
from cladpy.normalize import Policy, Restart, normalize
from cladpy.normalize.lasting import with_lasting
from cladpy.options import Options


@dataclass(frozen=True, slots=True)
class Prepared:
    function: core.Function
    activity: Activity
    needs: Needs


@dataclass(slots=True)
class Preparation:
    """The prepared functions of a program, each once for every set of active arguments."""

    program: s.Program
    policy: Policy
    questions: Questions
    options: Options
    named_globals: tuple[Symbol, ...]  # that the caller asked for
    integers: bool
    sink: Sink
    kernels: Kernels  # that a host function launches
    operands: bool = False  # whether the reverse sweep is to have all that statements read
    entry: core.Function | None = None  # in place of the program's own
    prepared: dict[tuple[FunctionSymbol, tuple[int, ...]], Prepared] = field(default_factory=dict)
    summaries: dict[tuple[FunctionSymbol, tuple[int, ...]], races.Summary | None] = field(default_factory=dict)

    def prepare(self, symbol: FunctionSymbol, active: tuple[int, ...]) -> Prepared:
        key = (symbol, active)
        if key not in self.prepared:
            function = with_waits(self.normalized(symbol))
            function = with_lanes(function, self.sink, may_alias=self.options.may_alias)
            activity = self._activity(function, active)
            again = partial(self._activity, active=active)
            apart = by_element(function, activity, again, may_alias=self.options.may_alias)
            if apart is not function:
                function, activity = apart, self._activity(apart, active)
            if not activity.integers:
                self._inline(compared_across(function, activity, self.policy))
            lifted, ties = (partial(f, may_alias=self.options.may_alias) for f in (with_lifted_choices, with_ties))
            for known in (with_turned_signs, lifted, ties, with_counts):
                shared = known(function, activity)
                if shared is not function:
                    function, activity = shared, self._activity(shared, active)
            if not self._is_repeated(symbol) and not self.options.trace_nonfinite:  # which tells of each statement
                called = symbol is not self.program.entry
                guards = discarded(function, may_alias=self.options.may_alias, called=called)
                shorter = preaccumulated(function, activity, guards, self.sink)
                if shorter is not function:
                    function, activity = shorter, self._activity(shorter, active)
                    guards = discarded(function, may_alias=self.options.may_alias, called=called)
                needed = partial(self._needed, function, activity)
                summed = with_outside_sums(function, activity, guards, self.sink, needed)
                if summed is not function:
                    function, activity = summed, self._activity(summed, active)
            function, needs = self._with_needs(function, activity)
            self._check_calls(function, needs)
            check_atomics(function, activity, needs, self.sink)
            check_earlier_times(function, needs, self.sink)
            self.sink.raise_if_errors()
            self.prepared[key] = Prepared(function, activity, needs)
        return self.prepared[key]

    def _with_needs(self, function: core.Function, activity: Activity) -> tuple[core.Function, Needs]:
        symbol = function.symbol
        return keep_overwritten(
            function,
            activity,
            self._read_by_pullback,
            may_alias=self.options.may_alias,
            exactly=self._is_repeated(symbol),
            operands=self.operands,
            results=self.options.split and symbol is self.program.entry and symbol.kind is FunctionKind.HOST,
            unread=self.questions.unread(function) if symbol.kind is FunctionKind.KERNEL else frozenset(),
        )

    def _needed(self, function: core.Function, activity: Activity) -> frozenset[core.Value]:
        return self._with_needs(function, activity)[1].values

    def _activity(self, function: core.Function, active: tuple[int, ...]) -> Activity:
        symbol = function.symbol
        activity = analyse(
            function,
            frozenset(active),
            self._active_globals(function),
            seeded(symbol.result, self.integers),
            self.integers,
            self.sink,
            scratch=self.policy.is_program(symbol),
            takes_bits=self.policy.takes_bits,
        )
        self.sink.raise_if_errors()
        return activity

    def normalized(self, symbol: FunctionSymbol) -> core.Function:
        if self.entry is not None and symbol is self.entry.symbol:
            return self.entry
        function = with_scopes(normalize(self.program.functions[symbol], self.policy, self.sink))
        if self.policy.is_program(symbol):
            return with_lasting(function)
        decisions = self.policy.decisions
        divergent = list(divergent_barriers(function))
        self._inline(
            {
                callee
                for _, control in divergent
                for callee in calls_deciding(control, function)
                if callee in self.program.functions
                and not self.policy.recursive(callee)
                and not self.policy.is_custom(callee)
            }
        )
        if symbol not in decisions.leaving and divergent:
            # perhaps because threads have left, which must come to the barriers all the same
            raise Restart(replace(decisions, leaving=decisions.leaving | {symbol}))
        self._check_barriers(function, divergent)
        if symbol.kind is FunctionKind.KERNEL:
            function = with_carried_elements(in_step(function, self.sink))
            if any(self.program.functions[f].has_volatile for f in (symbol, *self.policy.reachable(symbol))):
                check_exchanges(function, self.sink)
                self.sink.raise_if_errors()
        return function

    def _read_by_pullback(self, call: core.Call, active: tuple[int, ...]) -> frozenset[int] | None:
        if active and call.custom:
            custom = custom_pullback(self.program, call, self.sink)
            return None if custom is None else custom.reads
        return self.kernels.pullback(call, active).reads if active else frozenset()

    def _is_repeated(self, symbol: FunctionSymbol) -> bool:
        """Whether a function runs forward more than once, on memory that it writes: it must do the same each time."""
        return self.policy.recursive(symbol) and not self.policy.only_reads(symbol)

    def _active_globals(self, function: core.Function) -> frozenset[core.Root]:
        """The memory of the variables that the caller asked for; of the device's, a host function knows the address."""
        at = {s.allocation for s in statements(function.body) if isinstance(s, core.Acquire) and self._is_named(s)}
        located = frozenset(root for v in function.heap if v.symbol in at for root in v.roots)
        return located | frozenset(root for symbol in self.named_globals for root in self.policy.globals.roots(symbol))

    def _is_named(self, acquired: core.Acquire) -> bool:
        return acquired.variable in self.named_globals

    def _is_watched(self, variable: Symbol, written: set[core.Root]) -> bool:
        """Whether a function that reads the variable must be inlined: because of its adjoint, or since the caller may
        write it."""
        if variable in self.named_globals or not written.isdisjoint(self.policy.globals.roots(variable)):
            return True
        return bool(written) and self.options.may_alias and variable.space is Space.GLOBAL and not variable.const

    def _check_calls(self, function: core.Function, needs: Needs) -> None:
        """Inlines what reads memory that is written here, what decides something, and what is needed twice."""
        written = stored(function)
        more: set[FunctionSymbol] = set()
        for call in statements(function.body):
            if isinstance(call, core.Call) and call.callee.kind is FunctionKind.KERNEL:
                self.kernels.check(call, call.span)
                continue
            if isinstance(call, core.Call) and self.policy.is_custom(call.callee):
                self._check_custom(call, function, needs, written)
                continue
            if isinstance(call, core.Call) and isinstance(known.of(call.callee.name), known.Clock):
                self._check_clock(call, needs)
            if not isinstance(call, core.Call) or call.callee not in self.program.functions:
                continue
            callee = call.callee
            named = sorted(g.name for g in self.policy.globals_below(callee) if self._is_watched(g, written))
            must = bool(named) or any(
                isinstance(a, core.PointerArgument)
                and (not written.isdisjoint(reached(a, function)) or (written and self.options.may_alias))
                for a in call.arguments
            )
            given = {o.value for o in call.outputs}
            must |= not given.isdisjoint(needs.exact)
            may = not given.isdisjoint(needs.values) and self.policy.is_worth_inlining(callee)
            if not (must or may or self.policy.recursive(callee)):
                continue
            if not self.policy.recursive(callee) and callee not in self.policy.decisions.inline:
                more.add(callee)
            elif named:
                self.sink.error(
                    "CP0508",
                    f"the recursive function '{callee.name}' reads the variable '{named[0]}', which is written or has "
                    "an adjoint",
                    call.span,
                    hint="pass the variable, or its address, as an argument",
                )
            elif _meets_other_threads(call, function):
                self.sink.error(
                    "CP0502",
                    f"the recursive function '{callee.name}' is given shared memory, or writes memory in a kernel with "
                    "barriers",
                    call.span,
                    hint="write the recursion as a loop, or give it a local array",
                )
            elif self._may_overlap(call, function):
                self.sink.error(
                    "CP0510",
                    f"the recursive function '{callee.name}' is given the same memory twice, and writes it",
                    call.span,
                    hint="pass one pointer, and indices",
                )
        self._inline(more)

    def _inline(self, more: set[FunctionSymbol]) -> None:
        """Starts again with some functions inlined. What they call comes along: asking level by level would start again
        at each."""
        decisions = self.policy.decisions
        more = more - decisions.inline
        if more:
            below = {c for callee in more for c in self.policy.reachable(callee) if self.policy.is_worth_inlining(c)}
            raise Restart(decisions.inlined(*more, *(c for c in below if not self.policy.recursive(c))))

    def _may_overlap(self, call: core.Call, function: core.Function) -> bool:
        """Whether what a call writes may be reached through two of its arguments: in the callee they are distinct."""
        pointers = [(i, a) for i, a in enumerate(call.arguments) if isinstance(a, core.PointerArgument)]
        if self.options.may_alias and call.writes and len(pointers) > 1:
            return True
        return any(
            i != j and not set(reached(a, function)).isdisjoint(reached(b, function))
            for i, a in pointers
            if i in call.writes
            for j, b in pointers
        )

    def _check_clock(self, call: core.Call, needs: Needs) -> None:
        if any(o.value in needs.again for o in call.outputs):
            self.sink.error(
                "CP0272",
                f"what '{call.callee.name}' gives is another number each time, and the gradient needs it",
                call.span,
                hint="let nothing that is differentiated depend on it, or pass it as an argument",
            )

    def _check_custom(self, call: core.Call, function: core.Function, needs: Needs, written: set[core.Root]) -> None:
        """What a custom derivative knows of memory is what it is given, as it is when the gradient begins: neither the
        function nor its pullback may read what the kernel writes, nor the kernel what the function writes."""
        callee = call.callee
        only_reads = callee in self.program.functions and self.policy.only_reads(callee)
        if callee in self.program.functions:
            for variable in sorted(self.policy.globals_below(callee), key=lambda g: g.name):
                if self._is_watched(variable, written):
                    self.sink.error(
                        "CP0507",
                        f"'{callee.name}' has a custom derivative, and reads the variable '{variable.name}', which is "
                        "written or has an adjoint",
                        call.span,
                        hint="pass the variable, or its address, as an argument",
                    )
        if call.custom:
            self._check_apart(call)
            return  # what it overwrites is put back before its pullback runs
        loaded = {t.root for t in statements(function.body) if isinstance(t, core.Load) and t.value in needs.values}
        for argument, type in zip(call.arguments, callee.parameters, strict=True):
            if not isinstance(argument, core.PointerArgument):
                continue
            roots = set(reached(argument, function))
            root = argument.root
            may_write = not only_reads and isinstance(type, Pointer | Reference) and not type.const
            aliased = self.options.may_alias and (written or (may_write and loaded))
            seen = may_write and self.policy.is_program(function.symbol)  # by steps of the program
            if roots & written or (may_write and roots & loaded) or aliased or seen:
                self.sink.error(
                    "CP0509",
                    f"'{callee.name}' has a custom derivative, and '{root.name}', which it is given, is written and "
                    "read in this kernel",
                    call.span,
                    hint="pass what it reads by value, and let it return its result",
                )

    def _check_apart(self, call: core.Call) -> None:
        """A pullback adds to the adjoints of what the function reads, and clears those of what it writes."""
        given = [(i, a) for i, a in enumerate(call.arguments) if isinstance(a, core.PointerArgument)]
        for i, written in given:
            if i in call.writes and any(j != i and a == written for j, a in given):
                self.sink.error(
                    "CP0510",
                    f"'{call.callee.name}' has a derivative of its own, is given the same memory twice, and writes it",
                    call.span,
                    hint="let it write other memory, and copy that",
                )
                return

    def _check_barriers(self, function: core.Function, divergent: Sequence[tuple[core.Barrier, Control]]) -> None:
        decisions = self.policy.decisions
        divided = {c.span for _, c in divergent if not is_by_thread_alone(c, function)} - decisions.divided
        if divided:  # that all threads decide alike is up to the launch
            raise Restart(replace(decisions, divided=decisions.divided | divided))
        for barrier, control in divergent:
            self.sink.error(
                "CP0236",
                f"not all threads of a block come to this '{barrier.callee.name}'",
                barrier.span,
                notes=(Note("what decides about it depends on the thread", control.span),),
                hint="move the barrier out of the branch or loop, or let all threads of the block decide alike",
            )

    # ---- races -----------------------------------------------------------------------------------------------------

    def call_summaries(self, prepared: Prepared) -> dict[core.Call, races.Summary | None]:
        found: dict[core.Call, races.Summary | None] = {}
        for call in statements(prepared.function.body):
            if isinstance(call, core.Call):
                found[call] = self.summary(call.callee, prepared.activity.positions(call))
        return found

    def summary(self, symbol: FunctionSymbol, active: tuple[int, ...]) -> races.Summary | None:
        """How a callee accesses memory; None where that is not known: custom derivatives, recursion."""
        if symbol not in self.program.functions or self.policy.is_custom(symbol) or symbol.kind is FunctionKind.KERNEL:
            return None
        key = (symbol, active)
        if key not in self.summaries:
            self.summaries[key] = None  # while a recursion is being looked at
            prepared = self.prepare(symbol, active)
            self.summaries[key] = races.summarise(
                prepared.function, prepared.activity.values, self.call_summaries(prepared)
            )
        return self.summaries[key]


def _meets_other_threads(call: core.Call, function: core.Function) -> bool:
    """Whether a call reads or writes memory through which the threads of a block work together: a pullback runs between
    the barriers of the reverse sweep, and would have to find there what the function found."""
    if any(root.kind is core.RootKind.SHARED for root in touched(call, function)):
        return True
    return bool(call.writes) and any(isinstance(s, core.Barrier) for s in statements(function.body))
