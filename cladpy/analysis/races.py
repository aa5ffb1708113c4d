"""Where two threads can meet at an element of an adjoint.

Shared memory is looked at like global memory, within one block: what two threads do to it on different sides of a
barrier does not meet, in the gradient as in the primal, since the reverse sweep has the same barriers.

An update is plain only with a proof about all accesses to the buffer. There are two. Either whoever makes an access
at an index also makes a plain store at that index, all of these to one buffer: two threads that met at an element
would both store to one element, which is a race of the primal, unless there is a barrier between the two stores
(`intervals.py`). Or the thread can be told from the index (`elements.py`). Each pair of accesses may have a proof of
its own.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from cladpy.analysis.affine import VARYING, Affine, affine
from cladpy.analysis.dimensions import NO_EXTENTS, PLANES, Premise
from cladpy.analysis.intervals import Intervals
from cladpy.analysis.layouts import Strides, strides_of
from cladpy.analysis.meetings import Meetings, are_beside
from cladpy.analysis.once import Once
from cladpy.analysis.owned import Owned
from cladpy.analysis.reasons import (
    ONE_THREAD,
    OVERLAP,
    UNUSED,
    Access,
    Path,
    Reason,
    bounded,
    by_block,
    by_store,
    by_thread,
    by_thread_beside,
    miss,
    owners,
    twin_owners,
)
from cladpy.analysis.twins import Twins
from cladpy.analysis.unmet import unmet
from cladpy.analysis.warps import varying_by_thread
from cladpy.ir import core
from cladpy.ir.code import Update
from cladpy.ir.names import parts
from cladpy.ir.reach import reached, touched
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import Struct, is_integer, scalar_of
from cladpy.ir.walk import regions, statements, subexpressions


@dataclass(slots=True)
class Accesses:
    """All accesses of a function by root, those of kept calls included."""

    intervals: Intervals
    by_root: dict[core.Root, list[Access]] = field(default_factory=lambda: defaultdict(list))
    stores: dict[core.Root, list[Access]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class Accumulation:
    updates: Mapping[core.Root, Update]
    exchanged: frozenset[core.Store]
    single: frozenset[BuiltinVar]  # the extents of the launch that a proof took to be 1
    reasons: Mapping[core.Root, Reason] = field(default_factory=dict)
    once: Mapping[core.Statement, int] = field(default_factory=dict)  # accesses that are alone, up to a depth of loops
    last: Mapping[core.Statement, int] = field(default_factory=dict)  # after which nothing is done to their element
    together: Mapping[core.Statement, int] = field(default_factory=dict)  # the same but for twins in other loops
    # where no two threads meet but in elements that are the same for the whole launch: those are looked at apart
    beside: frozenset[core.Root] = frozenset()
    waits: frozenset[core.Statement] = frozenset()  # loads before whose reverse the block has to wait
    branching: frozenset[core.Statement] = frozenset()  # the branches with such loads that not all of its threads take
    unmet: frozenset[core.Load] = frozenset()  # whose elements no other thread is at, where others of the root are met
    bounds: tuple[Premise, ...] = ()  # of the launch, within which this holds
    bounded: Accumulation | None = None  # what holds within such bounds, where that is more

    def update(self, root: core.Root) -> Update:
        return self.updates.get(root, Update.ATOMIC)

    def added(self, load: core.Load) -> Update:
        """How what a load reads gets its adjoint."""
        return Update.PLAIN if load in self.unmet else self.update(load.root)

    def take(self, store: core.Store) -> Update:
        return Update.ATOMIC if store in self.exchanged else Update.PLAIN


@dataclass(frozen=True, slots=True)
class Summary:
    """How a callee accesses what its parameters point to, by parameter position, over its own parameters."""

    accesses: Mapping[int, tuple[Access, ...]]
    parameters: tuple[core.Value | core.Root, ...]


def collect(
    function: core.Function, active: frozenset[core.Value], summaries: Mapping[core.Call, Summary | None]
) -> Accesses:
    """The accesses whose adjoints touch memory: active loads, stores, atomics and calls."""
    found = Accesses(Intervals(function))
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    counter = itertools.count()
    dependent = thread_dependent(function)
    twins = Twins(lets)
    strides = strides_of(function)

    def views(root: core.Root) -> Strides:
        return strides.get(root, frozenset())

    # between barriers accesses are compared by where they stand, which twins do not tell
    ordered = any(isinstance(s, core.Barrier) for s in statements(function.body))

    def visit(region: core.Region, path: Path, alike: Path, around: tuple[tuple[core.Statement, int], ...]) -> None:
        """`alike` is the path with the first of twins in the place of each loop and branch."""
        for statement in region:
            segment = found.intervals.segment(statement)
            match statement:
                case core.Load(value, root, index, span) if value in active:
                    at = affine(index, lets)
                    twin = (twins.index(at), alike)
                    access = Access(at, path, span, "", segment, around, statement, twin, views(root))
                    found.by_root[root].append(access)
                case core.Store(root, index, span=span):
                    at = affine(index, lets)
                    twin = (twins.index(at), alike)
                    access = Access(at, path, span, "", segment, around, statement, twin, views(root))
                    found.by_root[root].append(access)
                    if root.kind is not core.RootKind.LOCAL and dependent[statement]:
                        found.stores[root].append(access)
                case core.AtomicAdd(root, span=span):
                    found.by_root[root].append(Access(None, path, span, "the primal adds to it atomically"))
                case core.Call(arguments=arguments):
                    summary = summaries.get(statement)
                    for i, a in enumerate(arguments):
                        if isinstance(a, core.PointerArgument):
                            for root in reached(a, function):
                                made = _of_call(summary, i, a, statement, path, lets)
                                found.by_root[root] += [
                                    replace(access, segment=segment, around=around) for access in made
                                ]
                case _:
                    pass
            for number, inner in enumerate(regions(statement)):
                own = first = next(counter)
                if isinstance(statement, core.If):
                    first = twins.arm(statement, number, alike, own)
                elif isinstance(statement, core.Loop) and number == 1 and not found.intervals.orders(statement):
                    first = twins.body(statement, alike, own)
                visit(inner, (*path, own if ordered else first), (*alike, first), (*around, (statement, number)))
            if isinstance(statement, core.If):
                _store_either_way(statement, None if ordered else path, alike, found)

    visit(function.body, (), (), ())
    return found


def _store_either_way(branch: core.If, path: Path | None, alike: Path, found: Accesses) -> None:
    """A store that stands on both sides of a branch is one that stands in its place; without a `path`, to twins."""
    for made in found.stores.values():
        sides = [{s.twin[0]: s for s in made if s.around and s.around[-1] == (branch, number)} for number in (0, 1)]
        both = (s for at, s in sides[0].items() if at and at in sides[1] and s.segment == sides[1][at].segment)
        made += [
            replace(s, path=s.path if path is None else path, around=s.around[:-1], twin=(s.twin[0], alike))
            for s in both
        ]


def _of_call(
    summary: Summary | None,
    position: int,
    argument: core.PointerArgument,
    call: core.Call,
    path: Path,
    lets: Mapping[core.Value, core.Expr],
) -> list[Access]:
    """A callee's accesses, in terms of the caller."""
    unknown = f"how '{call.callee.name}' accesses it is not known"
    if summary is None:
        return [Access(None, path, call.span, unknown)]
    offset = affine(argument.offset, lets)
    given = {
        p: affine(a, lets)
        for p, a in zip(summary.parameters, call.arguments, strict=True)
        if isinstance(p, core.Value)
        and not isinstance(a, core.PointerArgument | core.ChosenArgument | core.ObjectArgument | core.ViewArgument)
    }
    found = []
    for access in summary.accesses.get(position, ()):
        index = None
        if access.index is not None and offset is not None:
            inner = access.index.substitute(given)
            index = None if inner is None else inner.plus(offset)
        found.append(Access(index, path, call.span, unknown))
    return found


def summarise(
    function: core.Function, active: frozenset[core.Value], calls: Mapping[core.Call, Summary | None]
) -> Summary | None:
    """The accesses of a function that is called; values of its own, but its parameters, make an index unknown. None
    where it takes objects."""
    if any(isinstance(scalar_of(p.type), Struct) for p in function.parameters):
        return None
    accesses = collect(function, active, calls)
    parameters = tuple(p.parts[0].content for p in function.parameters)
    known = {p for p in parameters if isinstance(p, core.Value)}
    by_position: dict[int, tuple[Access, ...]] = {}
    for i, content in enumerate(parameters):
        if isinstance(content, core.Root):
            by_position[i] = tuple(
                Access(a.index if a.index is not None and a.index.symbols() <= known else None, ())
                for a in accesses.by_root.get(content, [])
            )
    return Summary(by_position, parameters)


def accumulate(
    function: core.Function,
    shadowed: frozenset[core.Root],
    accesses: Accesses,
    *,
    single_thread: bool,
    unproved: Reason | None,
    unread: frozenset[BuiltinVar],
    promised: Collection[core.Root] = (),
) -> Accumulation:
    """How the adjoint of each shadowed root is updated. `single_thread`: plain code; `unproved`: why no proofs are
    wanted; `unread`: the extents along y and z that nothing asks for, nor for the index that they count, so that they
    may be taken to be 1; `promised`: those of which it matters whether an access is the only one to its element."""
    owned = Owned(function, accesses.intervals, unread)
    anywhere = _accumulate(owned, shadowed, accesses, single_thread=single_thread, unproved=unproved, promised=promised)
    if single_thread or unproved is not None or not owned.suggested:
        return anywhere

    def within(premises: tuple[Premise, ...]) -> tuple[Accumulation, frozenset[core.Root]]:
        of_launch = Owned(function, accesses.intervals, unread, premises)
        more = _accumulate(of_launch, shadowed, accesses, single_thread=False, unproved=None, promised=promised)
        plain = (root for root, update in more.updates.items() if update is Update.PLAIN)
        return more, frozenset(root for root in plain if anywhere.updates[root] is not Update.PLAIN)

    premises = owned.suggested
    more, won = within(premises)
    if not won:
        return anywhere
    for premise in premises if len(premises) > 1 else ():  # no more than it takes
        fewer = tuple(p for p in premises if p is not premise)
        found, proved = within(fewer) if fewer else (anywhere, frozenset())
        if proved >= won:
            premises, more = fewer, found
    reasons = {root: bounded(reason, premises) if root in won else reason for root, reason in more.reasons.items()}
    return replace(anywhere, bounded=replace(more, reasons=reasons, bounds=premises))


def _accumulate(
    owned: Owned,
    shadowed: frozenset[core.Root],
    accesses: Accesses,
    *,
    single_thread: bool,
    unproved: Reason | None,
    promised: Collection[core.Root],
) -> Accumulation:
    function, unread = owned.function, owned.unread
    in_order = _in_order(shadowed, function)
    if single_thread:
        every = dict.fromkeys(in_order, Update.PLAIN)
        looked_at = {root: accesses.by_root.get(root, []) for root in promised}
        found_once = {} if unproved is OVERLAP else _once(owned, accesses, looked_at, NO_EXTENTS, alone=True)
        one = dict.fromkeys(in_order, ONE_THREAD)
        return Accumulation(every, frozenset(), NO_EXTENTS, one, once=found_once, last=found_once)
    updates: dict[core.Root, Update] = {}
    reasons: dict[core.Root, Reason] = {}
    single: set[BuiltinVar] = set()
    waits: set[core.Statement] = set()
    plain_loads: set[core.Load] = set()
    beside: dict[core.Root, list[Access]] = {}
    one_line = unread >= PLANES
    meetings = Meetings(function, accesses.intervals)
    for root in (*in_order, *_shared_roots(function)):
        found = accesses.by_root.get(root, [])
        updates[root] = Update.ATOMIC
        if unproved is not None or not found:
            reasons[root] = unproved or UNUSED
            continue
        in_block = root.kind is core.RootKind.SHARED
        proofs = dict(_proofs(accesses, in_block, one_line))
        stored = _stored_by_whoever_accesses(found, proofs, accesses.intervals)
        if stored is not None:
            updates[root], reasons[root] = Update.PLAIN, stored
        elif in_block and one_line and meetings.never(found, proofs):
            updates[root], reasons[root] = Update.PLAIN, by_block(found[0])
            single |= PLANES
        elif isinstance(extents := owned.premises(found, proofs, in_block=in_block), frozenset):
            updates[root], reasons[root] = Update.PLAIN, by_thread(extents, found[0], in_block=in_block)
            single |= extents
        elif (stored := _stored_by_whoever_accesses(found, proofs, accesses.intervals, alike=True)) is not None:
            updates[root], reasons[root] = Update.PLAIN, stored
        elif in_block and one_line and (parted := meetings.parted(found, proofs)) is not None:
            updates[root], reasons[root] = Update.PLAIN, by_block(found[0])
            single |= PLANES
            waits |= parted
        else:
            reasons[root] = miss(found, proofs, owned.uniform, extents)
            if in_block:
                left, extents_of_block = unmet(root, found, proofs, owned, meetings if one_line else None)
                loads = [a.statement for a in left if isinstance(a.statement, core.Load)]
                if loads:
                    plain_loads.update(loads)
                    single |= extents_of_block
            others = [a for a in found if not _is_for_all(a, owned.uniform)]
            overlaps = any(other is not root and other.memory is root.memory for other in accesses.by_root)
            called = any(a.statement is None for a in found)
            if in_block or overlaps or called or not 0 < len(others) < len(found):
                continue
            if _stored_by_whoever_accesses(others, proofs, accesses.intervals) is not None:
                extents = NO_EXTENTS
            else:
                extents = owned.premises(others, proofs, in_block=False)
            if isinstance(extents, frozenset):
                beside[root], reasons[root] = others, by_thread_beside(extents, others[0])
                single |= extents
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    exchanged = frozenset(
        s
        for s, varies in thread_dependent(function).items()
        if not varies or (s.root.kind is core.RootKind.SHARED and not _one_to_one(affine(s.index, lets), one_line))
    )
    plain = [root for root in promised if updates.get(root) is Update.PLAIN]
    looked_at = {root: accesses.by_root.get(root, []) for root in plain}
    looked_at |= {root: others for root, others in beside.items() if root in promised}
    once = _once(owned, accesses, looked_at, frozenset(single), alone=False)
    last = _once(owned, accesses, looked_at, frozenset(single), alone=False, last=True)
    together = _once(owned, accesses, looked_at, frozenset(single), alone=False, last=True, together=True)
    ones = frozenset(single)
    alone = frozenset(beside)
    branching, waiting, met_by_none = meetings.divided(waits), frozenset(waits), frozenset(plain_loads)
    return Accumulation(updates, exchanged, ones, reasons, once, last, together, alone, waiting, branching, met_by_none)


def _is_for_all(access: Access, uniform: frozenset[core.Value]) -> bool:
    """Whether an access is to one element for all threads of the launch, which is known before it."""
    if access.index is None:
        return False
    atoms = [atom for monomial, _ in access.index.terms for atom in monomial]
    return all(isinstance(a, core.Use) and a.value in uniform for a in atoms)


def asked_once(function: core.Function, root: core.Root, accesses: Accesses, unread: frozenset[BuiltinVar]) -> bool:
    """Whether the primal makes nothing but stores to a buffer, none of which is to an element of another one."""
    made = accesses.by_root.get(root, [])
    owned = Owned(function, accesses.intervals, unread)
    alone = _once(owned, accesses, {root: made}, NO_EXTENTS, alone=False)
    return all(isinstance(a.statement, core.Store) and a.statement in alone for a in made)


def loaded_once(
    function: core.Function,
    load: core.Load,
    accesses: Accesses,
    unread: frozenset[BuiltinVar],
    single: frozenset[BuiltinVar],
) -> bool:
    """Whether nothing else has to do with the element of a load: no other thread, and no other iteration of the
    outermost loop around it, if the extents `single` are 1."""
    owned = Owned(function, accesses.intervals, unread)
    found = _once(owned, accesses, {load.root: accesses.by_root.get(load.root, [])}, single, alone=False)
    return found.get(load, 0) > 0


def _once(
    owned: Owned,
    accesses: Accesses,
    roots: Mapping[core.Root, list[Access]],
    single: frozenset[BuiltinVar],
    *,
    alone: bool,
    last: bool = False,
    together: bool = False,
) -> dict[core.Statement, int]:
    """The accesses to these roots that are the only ones to their element, or the `last`; but for twins if those are
    taken `together`."""
    found: dict[core.Statement, int] = {}
    function = owned.function
    calls = (s for s in statements(function.body) if isinstance(s, core.Call))
    given = {root.memory for call in calls for root in touched(call, function)}
    for root, made in roots.items():
        if root.memory in given:
            continue
        stores = dict(_proofs(accesses, False, False))
        once = Once(owned, accesses.intervals, stores, single, alone=alone)
        found.update(once.depths(made, last=last, together=together))
    return found


def _proofs(accesses: Accesses, in_block: bool, one_line: bool) -> Iterator[tuple[core.Root, list[Access]]]:
    """The stores to each buffer that no two threads make to one element. Blocks have shared memory of their own, so
    that stores to it prove nothing for global memory; and threads of a block may well store one value to one element.
    """
    for buffer, stores in accesses.stores.items():
        if buffer.outlives:
            yield buffer, stores
        elif in_block:
            yield buffer, [a for a in stores if a.index is not None and _one_to_one(a.index, one_line)]


def _in_order(shadowed: frozenset[core.Root], function: core.Function) -> list[core.Root]:
    """As the parameters lead to them, then variables by name: what is said of them is said in this order."""
    given = [c for p in function.parameters for c in p.contents if isinstance(c, core.Root) and c in shadowed]
    return [*given, *sorted(shadowed.difference(given), key=lambda root: root.name)]


def _shared_roots(function: core.Function) -> Iterator[core.Root]:
    return (
        s.root
        for s in statements(function.body)
        if isinstance(s, core.Allocate) and s.root.kind is core.RootKind.SHARED
    )


def _one_to_one(index: Affine, one_line: bool) -> bool:
    """Whether threads of a block that store to one element of shared memory in one barrier interval are the same
    thread: others could store the same value there without harm, and each would take the element's adjoint."""
    factors: dict[BuiltinVar, int] = {}
    for monomial, coefficient in index.terms:
        varying = [a.var for a in monomial if isinstance(a, core.Builtin) and a.var in VARYING]
        if not any(isinstance(e, core.Builtin) and e.var in VARYING for a in monomial for e in subexpressions(a)):
            continue
        if len(varying) != 1 or factors.setdefault(varying[0], coefficient) * coefficient < 0:
            return False
    return set(factors) >= ({BuiltinVar.THREAD_X} if one_line else {BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y})


def _stored_by_whoever_accesses(
    accesses: list[Access], stores: Mapping[core.Root, list[Access]], intervals: Intervals, *, alike: bool = False
) -> Reason | None:
    """The proof by a store of the primal beside each access, all of them to one buffer; or in twins of where that is
    made, if these are `alike`."""
    if any(a.index is None for a in accesses):
        return None
    for root, made in stores.items():
        found = [(twin_owners if alike else owners)(a, made) for a in accesses]
        if all(found) and all(
            are_beside(a, b, of_a, of_b, intervals)
            for (a, of_a), (b, of_b) in itertools.combinations_with_replacement(zip(accesses, found, strict=True), 2)
        ):
            return by_store(root, found[0][0])
    return None


def thread_dependent(function: core.Function) -> dict[core.Store, bool]:
    """For each store to memory of several threads, whether its index, or what decides about it, differs between the
    lanes of a warp. Where nothing does, some or all of them store to one element, which programs do that have one value
    for it; and only one of them may take its adjoint. That threads are below a limit does not tell them apart."""
    varying = varying_by_thread(function)
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    found: dict[core.Store, bool] = {}

    def chosen(condition: core.Expr, holds: bool) -> bool:
        asked = (part for part, _ in parts(condition, holds, lets))
        return any(varying.expr(part) and not _is_limit(part) for part in asked)

    def visit(region: core.Region, depends: bool) -> None:
        for statement in region:
            match statement:
                case core.Store(root, index) if root.kind is not core.RootKind.LOCAL:
                    found[statement] = depends or varying.expr(index)
                case core.If(condition, then, other):
                    visit(then, depends or chosen(condition, True))
                    visit(other, depends or chosen(condition, False))
                case core.Loop(_, before, condition, body):
                    visit(before, depends)
                    visit(body, depends or chosen(condition, True))
                case _:
                    pass

    visit(function.body, False)
    return found


def _is_limit(condition: core.Expr) -> bool:
    """Whether integers are compared by which is larger."""
    return isinstance(condition, core.Binary) and condition.op in _LIMITS and is_integer(condition.left.type)


_LIMITS = frozenset({BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE})
