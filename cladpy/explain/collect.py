"""Looks for the findings in the generated code: what is there is what is reported."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from cladpy.adjoint.gradient import Background, Gradient
from cladpy.analysis.reasons import ONE_THREAD, Reason
from cladpy.diagnostics import Span
from cladpy.emit.expressions import Expressions
from cladpy.emit.functions import printers
from cladpy.emit.unit import style_of
from cladpy.explain.plan import plan, premises
from cladpy.explain.report import (
    ArrayStorage,
    FunctionReport,
    Kind,
    LoopStorage,
    Passed,
    Recomputed,
    Report,
    SharedLoop,
    Stored,
    StoreFate,
    Update,
)
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, inner_blocks
from cladpy.ir.shared import shared_memory
from cladpy.ir.types import Type, size_of
from cladpy.ir.walk import defined, statements
from cladpy.targets import TARGETS

SLOT = 8
STATES_OF_A_LEVEL = 16  # see checkpoints.h

_OWN_ARRAY = Reason("an array of the thread's own")
_REGISTER = Reason("a variable of the thread's own")
_BLOCK = Reason("the element is the same for all threads: summed in a variable, and over the block, before one atomic")
_UNIFORM = Reason("the element is the same for all lanes of a warp: summed over it before one atomic")
_TEAM = Reason("several iterations of a loop that threads share may add to the element")
_ONE_OR_OWN = Reason("one thread is there, or one iteration alone has to do with the element")
_SCALAR = Reason("every thread adds to the adjoint of a scalar: summed over the warp before one atomic")
_BLOCK_SCALAR = Reason("every thread adds to the adjoint of a scalar: summed over the block before one atomic")
_EXACT_SCALAR = Reason("every thread adds to the adjoint of a scalar: as integers, in whatever order")
_SCALARS = {code.Update.REDUCED: _SCALAR, code.Update.BLOCK: _BLOCK_SCALAR, code.Update.EXACT: _EXACT_SCALAR}
_ONE_SCALAR = Reason("one thread adds to the adjoint of a scalar")
_CALLER_SCALAR = Reason("a variable of the caller's, or of its thread")
_GIVEN = Reason("as where it is called: a pullback is made for each kind of update")
_STORED = Reason("whoever stores an element takes its adjoint, and stores do not race")
_FRESH = Reason("nothing else is added to the element, which is zero before: fresh")
_EARLY = Reason("it was loaded before the barrier: no other thread has to do with the element")
_REPLACED = Reason("it replaces what was taken from the element")
_NOT_ZEROED = Reason("nobody looks at the element afterwards: consumed")
_ZEROED = Reason("consumed does not help: the element may be looked at again")
_ALL_STORE = Reason("all threads store to one element, and one of them takes its adjoint")


def explain(gradient: Gradient, request: tuple[str, ...], target: str) -> Report:
    """The findings about a gradient by the arguments `request`, emitted for a target."""
    said = _by_iterations if TARGETS[target].is_portable else _as_said
    return Report(
        gradient.primal.symbol.qualified_name,
        gradient.main.name,
        request,
        tuple(
            said(_Collector(one, f, target).report())
            for one in (gradient, *gradient.kernels)
            for f in (one.main, *one.functions[:-1])
        ),
        plan(gradient, target),
        premises(gradient),
    )


def _as_said(report: FunctionReport) -> FunctionReport:
    return report


# What a loop of a library calls that by which kernels tell threads apart.
_OF_ITERATIONS = (
    *(
        (f"blockIdx.{axis}", f"the loop's {rank} index")
        for axis, rank in zip("xyz", ("first", "second", "third"), strict=True)
    ),
    ("thread", "iteration"),
)


def _by_iterations(report: FunctionReport) -> FunctionReport:
    """The report on a loop of a library, whose threads are iterations."""

    def said(reason: Reason) -> Reason:
        text = reason.text
        for here, there in _OF_ITERATIONS:
            text = text.replace(here, there)
        return replace(reason, text=text)

    updates = tuple(replace(u, reason=said(u.reason)) for u in report.updates)
    return replace(report, updates=updates, passed=tuple(replace(p, reason=said(p.reason)) for p in report.passed))


def in_registers(background: Background) -> dict[core.Value, Span | None]:
    """The variables that are adjoints, with where what they are the adjoints of gets its value."""
    spans: Mapping[core.Value, Span] = {
        v: s.span for s in statements(background.prepared.function.body) for v in defined(s)
    }
    return {variable: spans.get(value) for value, variable in background.adjoints.items()}


def kind_of(statement: code.Statement, fresh: Collection[core.Root]) -> Kind | None:
    """How a statement changes an adjoint in memory, if it does; those of `fresh` roots are zero before."""
    match statement:
        case code.AddElement(adjoint=True, root=root) | code.Take(root=root) if root.kind is core.RootKind.LOCAL:
            return Kind.LOCAL
        case code.AddElement(adjoint=True, root=root, update=update):
            read_before = statement.alone and root not in fresh  # with other elements
            return Kind.ASSIGNED if statement.assigned and not read_before else Kind(update.value)
        case code.Take(update=update):
            return Kind.EXCHANGE if update is code.Update.ATOMIC else Kind.PLAIN
        case code.AddParameter(update=update):
            return Kind.ASSIGNED if statement.assigned else Kind(update.value)
        case _:
            return None


class _Collector:
    def __init__(self, gradient: Gradient, function: code.Function, target: str) -> None:
        workspace = (
            function.tape_slots is None and not TARGETS[target].tape_grows and function.role is code.FunctionRole.KERNEL
        )
        names, printer = printers(function, style_of(gradient, target, {}), workspace or function.stands, mark="")
        printer.prepare(function.body)
        printer.block(function.body, 0)  # gives the names
        self.function = function
        self.background: Background = gradient.backgrounds[function.name]
        self.is_main = function is gradient.main
        self.variants = gradient.variants if self.is_main else ()
        self.names = names
        self.e: Expressions = printer.e
        self.store_all = self.background.prepared.needs.store_all

    def report(self) -> FunctionReport:
        slots = self.function.tape_slots
        return FunctionReport(
            self.function.name,
            self.function.role,
            # what a forward function gives back is no adjoint
            () if self.function.role is code.FunctionRole.FORWARD else tuple(self._updates()),
            tuple(self._passed()),
            "none" if slots == 0 else "workspace" if slots is None else "local",
            None if slots is None else SLOT * slots,
            () if slots == 0 else tuple(self._terms(self.function.body)),
            tuple(self._loops()),
            tuple(self._arrays()),
            shared_memory(self.function.body),
            tuple(self._recomputed()),
            tuple(self._stores()),
            tuple(SharedLoop(t.reverse, t.reason, t.team.span) for t in self.function.teams),
        )

    # ---- updates ---------------------------------------------------------------------------------------------------

    def _updates(self) -> Iterator[Update]:
        read: set[tuple[core.Root, core.Expr]] = set()  # what is zeroed later
        for s in all_statements(self.function.body):
            match s:
                case code.AddElement(adjoint=True):
                    yield self._added(s)
                case code.Take(root=root, index=index):
                    if (root, index) not in read:
                        yield self._taken(s)
                    if not s.zero:
                        read.add((root, index))
                case code.AddParameter(name, member=member, update=update):
                    text = member.replace("{b}", name) if member else f"*{name}"
                    span = self.function.primal.span
                    alone = _ONE_SCALAR if self.is_main else _CALLER_SCALAR
                    yield Update(self._kind(s), text, _SCALARS.get(update, alone), span)
                case _:
                    pass
        yield from self._registers()

    def _added(self, s: code.AddElement) -> Update:
        root, update, kind = s.root, s.update, self._kind(s)
        target = self.e.element(root, s.index, adjoint=True)
        if kind is Kind.LOCAL:
            return Update(kind, target, _OWN_ARRAY, s.origin)
        if kind is Kind.ASSIGNED:
            reason = _EARLY if self._is_early(s) else _REPLACED if s.once is None else _FRESH
            return Update(kind, target, reason, s.origin)
        if update in (code.Update.REDUCED, code.Update.BLOCK):
            reason = _UNIFORM if update is code.Update.REDUCED else _BLOCK
        elif update is code.Update.TEAM:
            reason = _TEAM
        else:
            reason = self._reason(root, update)
        for variant in (v for v in self.variants if root in v.roots):
            reason = Reason(f"{reason.text}; {variant.reason}", reason.span)
        if s.row is not None:
            run = f"{s.row.length} elements from here on, which are held in registers before"
            reason = Reason(f"{reason.text}; {run}{', of lanes side by side' * s.along}", reason.span)
        if s.meeting:
            reason = Reason(f"{reason.text}; lanes of a warp that meet there add up first", reason.span)
        if s.beside:
            reason = Reason(f"{reason.text}; the {s.beside} after it by the same call", reason.span)
        if s.optional:
            reason = Reason(f"{reason.text}; summed over the loop before", reason.span)
        if root in self.background.promised.fresh:
            reason = Reason(f"{reason.text}; fresh does not help: other contributions may come before", reason.span)
        return Update(kind, target, reason, s.origin)

    def _kind(self, s: code.Statement) -> Kind:
        kind = kind_of(s, self.background.promised.fresh)
        assert kind is not None
        return kind

    def _is_early(self, s: code.AddElement) -> bool:
        """Whether what is added to was loaded before a barrier."""
        defined = (d for d in all_statements(self.function.body) if isinstance(d, code.Define))
        loaded = {d.variable for d in defined if isinstance(d.init, code.Element) and d.init.adjoint}
        return isinstance(s.expr, core.Binary) and isinstance(s.expr.left, core.Use) and s.expr.left.value in loaded

    def _reason(self, root: core.Root, update: code.Update) -> Reason:
        """Of an update that is plain within bounds of the launch only, the proof that holds there."""
        known = self.background.accumulation
        if known.bounded is not None and update is code.Update.PLAIN and known.update(root) is not update:
            known = known.bounded
        reason = known.reasons.get(root, _GIVEN)
        return _ONE_OR_OWN if reason is ONE_THREAD and any(not t.reason for t in self.function.teams) else reason

    def _taken(self, s: code.Take) -> Update:
        root, kind = s.root, self._kind(s)
        target = self.e.element(root, s.index, adjoint=True)
        reason = {Kind.LOCAL: _OWN_ARRAY, Kind.EXCHANGE: _ALL_STORE}.get(kind, _STORED)
        if kind is Kind.PLAIN and root in self.background.promised.consumed:
            reason = _NOT_ZEROED if not s.zero else _ZEROED
        return Update(kind, target, reason, s.origin, takes=True)

    def _passed(self) -> Iterator[Passed]:
        """What pullbacks are given to add to."""
        for s in all_statements(self.function.body):
            if not isinstance(s, code.CallPullback):
                continue
            for a in s.arguments:
                if isinstance(a, code.Address) and a.adjoint and a.root.kind is not core.RootKind.LOCAL:
                    kind = Kind(self.background.accumulation.update(a.root).value)
                    reason = self.background.accumulation.reasons.get(a.root, _GIVEN)
                    yield Passed(s.name, kind, self.e.address(a), reason, s.origin)

    def _registers(self) -> Iterator[Update]:
        """The adjoints that are variables of the generated code."""
        defined_here = {s.variable for s in all_statements(self.function.body) if isinstance(s, code.Define)}
        for variable, span in in_registers(self.background).items():
            if variable in defined_here:
                yield Update(Kind.REGISTER, self.names.of(variable), _REGISTER, span)

    # ---- storage ---------------------------------------------------------------------------------------------------

    def _loops(self) -> Iterator[LoopStorage]:
        for s in all_statements(self.function.body):
            if isinstance(s, code.CountDown):
                kept = _kept(s)
                if kept:
                    names = tuple(self.names.of(v) for v in kept)
                    yield LoopStorage(s.origin, names, SLOT * len(kept), self._iterations(s))

    def _iterations(self, loop: code.CountDown) -> str:
        """How often a loop runs, in terms of the generated code; n with its line where that is counted."""
        match loop.count:
            case core.Const(value):
                return str(value)
            case core.Use(variable) if variable.name == "_n":
                return f"n{loop.origin.line}" if loop.origin is not None else "n"
            case _:
                return self.e.text(loop.count)

    def _terms(self, block: code.Block) -> Iterator[str]:
        """The bytes of tape that a block's loops need, as a sum. An inner loop's frames live while one iteration of the
        outer one is reversed, unless everything is stored in the first pass."""
        for s in block:
            if not isinstance(s, code.CountDown):
                for inner in inner_blocks(s):
                    yield from self._terms(inner)
                continue
            times = self._iterations(s)
            kept = _kept(s)
            if kept:
                yield f"{SLOT * len(kept)} * {_factor(times)}"
            for term in self._terms(s.body):
                yield f"{_factor(times)} * {term}" if self.store_all else term

    def _arrays(self) -> Iterator[ArrayStorage]:
        for s in all_statements(self.function.body):
            if isinstance(s, code.DeclareArray):
                shared = s.root.kind is core.RootKind.SHARED
                bytes = None if s.root.dynamic else (s.root.length or 1) * size_of(_cell(s))
                yield ArrayStorage(self.names.of((s.root, s.adjoint)), bytes, shared)
            elif isinstance(s, code.DeclareStates):
                state = sum(size_of(slot.type) for slot in s.states.slots)
                yield ArrayStorage(self.names.of(s.states.variable), STATES_OF_A_LEVEL * s.states.levels * state, False)

    # ---- what is done again ----------------------------------------------------------------------------------------

    def _recomputed(self) -> Iterator[Recomputed]:
        for s in all_statements(self.function.body):
            if isinstance(s, code.CountDown):
                found = self._again(s)
                if found.reads or found.calls or found.computes or found.loops:
                    yield found

    def _again(self, loop: code.CountDown) -> Recomputed:
        reads: dict[tuple[str, Span | None], None] = {}
        calls: dict[tuple[str, Span | None], None] = {}
        computes: dict[Span, None] = {}
        loops: dict[Span, None] = {}
        for s in _own_statements(loop.body):
            match s:
                case code.Define(_, code.Element(root, index, False), span=span):
                    reads.setdefault((self.e.element(root, index), span))
                case code.Define(_, code.UserCall(callee), span=span):
                    calls.setdefault((callee.name, span))
                case code.While(span=span) if span is not None:
                    loops.setdefault(span)
                case code.Define(span=span) if span is not None:
                    computes.setdefault(span)
                case _:
                    pass
        done = {span.line for _, span in (*reads, *calls) if span is not None}
        lines = {span.line: span for span in computes if span.line not in done}
        return Recomputed(loop.origin, tuple(reads), tuple(calls), tuple(lines.values()), tuple(loops))

    def _stores(self) -> Iterator[Stored]:
        needs = self.background.prepared.needs
        for s in statements(self.background.prepared.function.body):
            if isinstance(s, core.Store) and s.root.kind is not core.RootKind.LOCAL:
                made = StoreFate.UNDONE if s.root.outlives or s.old is not None else StoreFate.MADE
                if self.function.role is code.FunctionRole.FORWARD:
                    yield Stored(s.root.name, StoreFate.UNDONE if self.function.storage else StoreFate.MADE, s.span)
                    continue
                yield Stored(s.root.name, made if s in needs.stores else StoreFate.LEFT_OUT, s.span)


def _cell(array: code.DeclareArray) -> Type:
    return array.root.adjoint_cell if array.adjoint else array.root.element


def _kept(loop: code.CountDown) -> list[core.Value]:
    """What an iteration finds on the tape."""
    return [v for s in loop.body if isinstance(s, code.Pop) for _, v in s.variables]


def _factor(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def _own_statements(block: code.Block) -> Iterator[code.Statement]:
    """The statements of a block and within, but for those of the loops that it reverses."""
    for s in block:
        yield s
        if not isinstance(s, code.CountDown):
            for inner in inner_blocks(s):
                yield from _own_statements(inner)
