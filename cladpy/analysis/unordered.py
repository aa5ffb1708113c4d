"""Lanes of a warp that exchange values through shared memory with nothing that puts them in order.

`if (t < 32) s[t] = min(s[t], s[t + 32]); if (t < 16) s[t] = min(s[t], s[t + 16]);` is a minimum where the lanes of a
warp run in step, which CUDA promises no more: compilers reorder the two, and neither the reverse sweep nor the threads
of the host backend, which run one by one, are in step. Where it is certain that one lane loads what another stores,
the lanes wait between the two in the gradient, in both sweeps, and the host refuses to run the original. Elements and
conditions are computed for each lane of a block's first warp (`numbers.py`). Nothing is said of indices that data
decide, nor of a load and a store under one condition of such.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace

from cladpy.analysis.affine import Affine, affine
from cladpy.analysis.numbers import Lane
from cladpy.analysis.uniform import Varying
from cladpy.analysis.warps import WARP, varying_lanes
from cladpy.diagnostics import Note, Sink
from cladpy.ir import core
from cladpy.ir.names import meanings, parts
from cladpy.ir.reach import stored
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import SYNCWARP
from cladpy.ir.types import UINT, is_integer
from cladpy.ir.walk import defined, regions, statements, touched

_MOST_ITERATIONS = 12  # of a loop of constants: as many as halvings of a block's threads take
_MOST_UNKNOWN = 3  # of another: the first, one after it, and one where two arrays that take turns are as they were
_MOST_ACCESSES = 200  # since lanes have waited last: what came before them is forgotten
_By = core.Load | core.Store
_Limits = tuple[Mapping[int, tuple[Affine, ...]], frozenset[tuple[core.Expr, bool]]]
_LEAST = {BinaryOp.LT: 1, BinaryOp.LE: 0, BinaryOp.GT: 1, BinaryOp.GE: 0}  # by how much the one side is the larger


@dataclass(frozen=True, slots=True, eq=False)
class _Access:
    root: core.Root
    stores: bool
    at: Affine
    place: _Place
    by: _By


@dataclass(frozen=True, slots=True)
class _Reach:
    """The lanes that may come, by elements; and what is not negative where one does."""

    elements: Mapping[Affine, list[int]]
    limits: Mapping[int, tuple[Affine, ...]]
    conditions: frozenset[tuple[core.Expr, bool]]  # the others, that are no numbers


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """The conditions under which a statement runs, and what each lane knows in this iteration of loops."""

    lanes: tuple[Lane, ...]
    conditions: tuple[tuple[core.Expr, bool], ...] = ()


def in_step(function: core.Function, sink: Sink) -> core.Function:
    """The function with waits where its lanes must be in step; the function itself where they need not. Reports CP0274
    for what lanes exchange in the two arms of a branch, of which none comes first."""
    waits: set[core.Statement] = set()
    while (first := next(iter(_exchanges(function, waits)), None)) is not None:
        here, other = first
        wait = core.Collective(None, SYNCWARP, core.Const(0xFFFFFFFF, UINT), (), here.by.span)
        body = _waiting(function.body, here.by, other.by, wait)
        if body is None:
            _report(here, other, sink)
            sink.raise_if_errors()
        else:
            waits.add(wait)
            function = replace(function, body=body)
    return function


def check_lanes(function: core.Function, sink: Sink) -> None:
    """Reports CP0274 for what lanes exchange with nothing in between that they wait at, once for an array."""
    for here, other in _exchanges(function):
        _report(here, other, sink)


def in_order(function: core.Function) -> Set[core.Statement]:
    """What a function that waits where its lanes must be in step loads from shared memory, and stores to it, by indices
    that data do not decide."""
    walk = _walked(function, frozenset())
    if walk is None:
        return frozenset()
    unknown = {a.by for a in walk.accesses if walk.reach(a) is None}
    return {a.by for a in walk.accesses} - unknown


def _report(here: _Access, other: _Access, sink: Sink) -> None:
    what, does = ("stored", "loads from") if other.stores else ("loaded", "stores to")
    sink.error(
        "CP0274",
        f"a lane {does} '{here.root.name}' where another of its warp may have {what}, and nothing makes the two wait",
        here.by.span,
        notes=(Note(f"what is {what}", other.by.span),),
        hint="lanes do not run in step: let them wait by __syncwarp() between the two, where all of them come by",
    )


def _exchanges(function: core.Function, waits: Set[core.Statement] = frozenset()) -> Iterable[tuple[_Access, _Access]]:
    """The first exchange by each array that nothing puts in order, the later access first. `waits` are ours, each for
    the lanes that come by."""
    walk = _walked(function, waits)
    return () if walk is None else walk.found.values()


def _walked(function: core.Function, waits: Set[core.Statement]) -> _Walk | None:
    shared = {r.storage for r in stored(function) if r.kind is core.RootKind.SHARED}
    if not shared:
        return None
    walk = _Walk(function, shared, waits)
    walk.region(function.body, (), _Place(walk.lanes({})))
    return walk


def _waiting(region: core.Region, here: _By, other: _By, wait: core.Collective) -> core.Region | None:
    """A region that holds two accesses, with a wait before the one, where all lanes come by that come to either: in the
    innermost region that holds both. None where that has them in the two arms of a branch."""
    at, holder = next((k, s) for k, s in enumerate(region) if here in statements((s,)))
    if holder is here or other not in statements((holder,)):
        return (*region[:at], wait, *region[at:])
    for inner in regions(holder):
        if {here, other} <= set(statements(inner)):
            made = _waiting(inner, here, other, wait)
            return None if made is None else (*region[:at], _with(holder, inner, made), *region[at + 1 :])
    return None


def _with(holder: core.Statement, inner: core.Region, made: core.Region) -> core.Statement:
    """A branch or loop with another region in the place of one."""
    parts = [made if r is inner else r for r in regions(holder)]
    if isinstance(holder, core.If):
        return replace(holder, then=parts[0], other=parts[1])
    assert isinstance(holder, core.Loop)
    return replace(holder, before=parts[0], body=parts[1])


@dataclass(slots=True)
class _Walk:
    function: core.Function
    shared: set[core.Root]
    waits: Set[core.Statement]
    lets: dict[core.Value, core.Expr] = field(init=False)
    varying: Varying = field(init=False)
    there: int = WARP  # lanes that the first warp has
    found: dict[core.Root, tuple[_Access, _Access]] = field(default_factory=dict)
    accesses: list[_Access] = field(default_factory=list)
    known: dict[_Access, _Reach | None] = field(default_factory=dict)
    limits: dict[_Place, _Limits] = field(default_factory=dict)
    differences: dict[int, Affine] = field(default_factory=dict)  # of the sides of conditions, by their identity

    def __post_init__(self) -> None:
        self.lets = meanings(statements(self.function.body))
        self.varying = varying_lanes(self.function)
        self.there = next((lane.number for lane in self.lanes({})[1:] if self._is_outside(lane)), WARP)  # one is there

    def _is_outside(self, lane: Lane) -> bool:
        """Whether all threads do what this one could not: it would leave an array. The block is smaller then."""
        for s in self.function.body:
            if isinstance(s, core.Load | core.Store) and s.root in self.shared and s.root.length is not None:
                at = lane.polynomial(affine(s.index, self.lets))
                if not at.without_constant().terms and not 0 <= at.constant() < s.root.length:
                    return True
        return False

    def region(self, region: core.Region, before: tuple[_Access, ...], place: _Place) -> tuple[_Access, ...]:
        """What has been accessed since lanes waited last, after a region that begins with `before`."""
        for s in region:
            match s:
                case core.Load() | core.Store() if s.root.storage in self.shared:
                    before = self._access(before, s, place)
                case core.Collective() if s in self.waits:
                    under = len(place.conditions)
                    before = tuple(a for a in before if a.place.conditions[:under] != place.conditions)
                case core.Barrier() | core.Collective():
                    before = ()
                case core.If(condition, then, other):
                    for arm, holds in ((then, True), (other, False)):
                        inner = _Place(place.lanes, (*place.conditions, (condition, holds)))
                        before = self.region(arm, before, inner)
                case core.Loop() if any(self._matters(t) for t in statements((s,))):
                    before = self._loop(s, before, place)
                case _:
                    pass
        return before

    def _matters(self, s: core.Statement) -> bool:
        return isinstance(s, core.Barrier | core.Collective) or any(r.storage in self.shared for r in touched(s))

    def lanes(self, given: Mapping[core.Value, int]) -> tuple[Lane, ...]:
        return tuple(Lane(k, self.lets, given) for k in range(self.there))

    def _loop(self, loop: core.Loop, before: tuple[_Access, ...], place: _Place) -> tuple[_Access, ...]:
        """Iterations one by one, with the numbers that constants decide: all of them where these decide how many there
        are, else the first."""
        inner = place
        inside = {v for t in statements((loop,)) for v in defined(t)} | {c.value for c in loop.carried}
        carried = {c.value: (c.init, c.next) for c in loop.carried if not self.varying.expr(core.Use(c.value))}
        for k in range(_MOST_ITERATIONS):
            numbers = {v: inner.lanes[0].value(steps[k > 0]) for v, steps in carried.items()}
            given = {v: n for v, n in numbers.items() if n is not None}
            inner = _Place(self.lanes({**place.lanes[0].given, **given}), place.conditions)
            goes_on = inner.lanes[0].value(loop.condition)
            if goes_on == 0 or (goes_on is None and k == _MOST_UNKNOWN):
                break
            before = tuple(a for a in before if not a.at.symbols() & inside - given.keys())
            before = self.region(loop.body, self.region(loop.before, before, inner), inner)
        return before

    def _access(self, before: tuple[_Access, ...], s: _By, place: _Place) -> tuple[_Access, ...]:
        root = s.root.storage
        here = _Access(root, isinstance(s, core.Store), affine(s.index, self.lets), place, s)
        self.accesses.append(here)
        for other in before:
            if (
                root not in self.found
                and other.root is root
                and other.stores != here.stores
                and self._meet(here, other)
            ):
                self.found[root] = here, other
        return (*before, here)[-_MOST_ACCESSES:]

    def reach(self, access: _Access) -> _Reach | None:
        """None where data decide which element it is."""
        if access not in self.known:
            self.known[access] = self._reached(access)
        return self.known[access]

    def _reached(self, access: _Access) -> _Reach | None:
        limits, others = self._those_at(access.place)
        elements = defaultdict[Affine, list[int]](list)
        for lane in access.place.lanes:
            if lane.number in limits:
                element = lane.polynomial(access.at)
                if self._varies(element):
                    return None
                elements[element].append(lane.number)
        return _Reach(elements, limits, others)

    def _those_at(self, place: _Place) -> _Limits:
        """The lanes that come by, with what limits each, and the conditions that say nothing of lanes."""
        if place not in self.limits:
            told = [part for c, holds in place.conditions for part in parts(c, holds, self.lets)]
            limits = {
                lane.number: tuple(x for part, so in told if (x := self._limit(part, so, lane)) is not None)
                for lane in place.lanes
                if all(lane.value(part) in (None, so) for part, so in told)
            }
            first = place.lanes[0]
            others = (c for c in told if first.value(c[0]) is None and self._limit(*c, first) is None)
            self.limits[place] = limits, frozenset(others)
        return self.limits[place]

    def _varies(self, of: Affine) -> bool:
        return any(self.varying.expr(atom) for monomial, _ in of.terms for atom in monomial)

    def _limit(self, part: core.Expr, so: bool, lane: Lane) -> Affine | None:
        """What is not negative, by a condition that compares with something which all lanes know."""
        if not (isinstance(part, core.Binary) and part.op in _LEAST and is_integer(part.left.type)):
            return None
        if id(part) not in self.differences:
            self.differences[id(part)] = affine(part.right, self.lets).plus(affine(part.left, self.lets), -1)
        more = lane.polynomial(self.differences[id(part)])
        if self._varies(more):
            return None
        if part.op in (BinaryOp.GT, BinaryOp.GE):
            more = Affine(()).plus(more, -1)
        least = _LEAST[part.op]
        return more.plus(Affine.of({(): -least})) if so else Affine.of({(): least - 1}).plus(more, -1)

    def _meet(self, here: _Access, other: _Access) -> bool:
        """Whether some lane loads what another of its warp stores."""
        store, load = (here, other) if here.stores else (other, here)
        under = store.place.conditions
        together = store.place.lanes is load.place.lanes and load.place.conditions[: len(under)] == under
        if together and store.at == load.at:  # who loads stores there as well
            return False
        to, by = self.reach(store), self.reach(load)
        if to is None or by is None:
            return False
        for part, so in to.conditions:
            if (part, not so) in by.conditions or ((part, so) in by.conditions and self.varying.expr(part)):
                return False
        return any(
            k not in to.elements[element] and any(_may_both(to.limits[j], by.limits[k]) for j in to.elements[element])
            for element, lanes in by.elements.items()
            if element in to.elements
            for k in lanes
        )


def _may_both(a: tuple[Affine, ...], b: tuple[Affine, ...]) -> bool:
    """Whether two that are not negative may be so, as far as their sum says."""
    sums = (x.plus(y) for x in a for y in b)
    return not any(not s.without_constant().terms and s.constant() < 0 for s in sums)
