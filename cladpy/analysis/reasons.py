"""Why an adjoint is updated as it is, in words: the proof that no two threads meet, or what came nearest to one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cladpy.analysis.affine import VARYING, Affine
from cladpy.analysis.dimensions import Premise, names
from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.surface import BuiltinVar

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Access:
    """An access to a buffer: the index in affine form, and the regions that it stands in, from the outside in; the
    segment between barriers (`intervals.py`); and the control flow around it, with the number of each statement's
    region. Where the index is not known, `unknown` says why. `twin` is index and path in terms of the first of loops
    that run equally often, and of branches that ask the same (`twins.py`); where there are no barriers, so is the path
    itself."""

    index: Affine | None
    path: Path
    span: Span | None = None
    unknown: str = ""
    segment: int = 0
    around: tuple[tuple[core.Statement, int], ...] = ()
    statement: core.Statement | None = None  # None for those of a callee
    twin: tuple[Affine | None, Path] = (None, ())
    strides: frozenset[core.Value] = frozenset()  # of the view whose memory it is to


@dataclass(frozen=True, slots=True)
class Reason:
    """`span` is the line that it is about."""

    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two accesses that threads which differ in these indices may make to one element."""

    first: Access
    second: Access
    indices: frozenset[BuiltinVar]


ONE_THREAD = Reason("the function is run by one thread")
NO_PROOFS = Reason("plain updates are not wanted: --accumulate=atomic")
OVERLAP = Reason("arguments may overlap (--may-alias), so that no proof holds")
UNUSED = Reason("nothing accesses it")
MANY = Reason("it is accessed in more places than are compared")


def by_store(root: core.Root, store: Access) -> Reason:
    return Reason(
        f"whoever accesses an element also stores '{root.name}' at that index, and stores do not race", store.span
    )


def by_block(access: Access) -> Reason:
    text = "between barriers no two threads of a block access one element, by what their indices along x are added to"
    return Reason(text, access.span)


def by_thread(single: frozenset[BuiltinVar], access: Access, *, in_block: bool) -> Reason:
    whose = "each thread of a block" if in_block else "each thread"
    text = f"{whose} has elements of its own: the index tells which thread it is"
    return Reason(f"{text}, {names(single)}" if single else text, access.span)


def by_thread_beside(single: frozenset[BuiltinVar], access: Access) -> Reason:
    reason = by_thread(single, access, in_block=False)
    return Reason(f"{reason.text}; elements that are one for all threads are told apart by their index", reason.span)


def bounded(reason: Reason, bounds: Sequence[Premise]) -> Reason:
    """A proof that holds where the launch is within bounds."""
    return Reason(f"{reason.text}; if {' and '.join(map(str, bounds))}", reason.span)


def miss(
    accesses: Sequence[Access],
    stores: Mapping[core.Root, Sequence[Access]],
    uniform: frozenset[core.Value],
    pair: Meeting | None,
) -> Reason:
    """Why there is no proof: what the one that came nearest lacks."""
    for access in accesses:
        if access.index is None:
            return Reason(access.unknown, access.span)
    near = _store_miss(accesses, stores, uniform)
    if near is not None or pair is None:
        return near or MANY
    return _thread_miss(pair, uniform)


def _store_miss(
    accesses: Sequence[Access], stores: Mapping[core.Root, Sequence[Access]], uniform: frozenset[core.Value]
) -> Reason | None:
    """The first access beside which the primal does not store, where others have such a store."""
    best: tuple[int, Reason] | None = None
    for root, made in stores.items():
        owned = [a for a in accesses if owners(a, made)]
        missing = next((a for a in accesses if not owners(a, made)), None)
        if missing is None:
            text = f"'{root.name}' is stored at these indices in different intervals between barriers: threads may meet"
            return Reason(text, accesses[0].span)
        same = next((s for s in made if s.index == missing.index), None)
        if same is not None:
            line = f", line {same.span.line}" if same.span is not None else ""
            text = f"the store of '{root.name}' at this index{line}, stands under another condition"
        else:
            blame = None if missing.index is None else _blame(missing.index, uniform)
            text = f"'{root.name}' is stored where other accesses are, but not at this index"
            text += f", which depends on {blame}" if blame is not None else ""
        score = 2 * len(owned) + (same is not None)
        if score and (best is None or score > best[0]):
            best = (score, Reason(text, missing.span))
    return None if best is None else best[1]


def _thread_miss(pair: Meeting, uniform: frozenset[core.Value]) -> Reason:
    a, b = pair.first, pair.second
    for access in (a, b):
        blame = None if access.index is None else _blame(access.index, uniform)
        if blame is not None:
            return Reason(f"the index depends on {blame}, which may be the same for several threads", access.span)
    apart = " or ".join(sorted(i.value for i in pair.indices))
    if a is b:
        return Reason(f"the index may be the same for threads that differ in {apart}", a.span)
    line = f" of line {b.span.line}" if b.span is not None and a.span != b.span else ""
    return Reason(f"the element may be that of another access{line} by a thread that differs in {apart}", a.span)


def owners(access: Access, stores: Sequence[Access]) -> list[Access]:
    """The stores that whoever makes the access also makes, at the same index: they stand in the same region, or in one
    around it."""
    return [
        s
        for s in stores
        if access.path[: len(s.path)] == s.path
        and (s.index == access.index or (s.twin[0] is not None and s.twin[0] == access.twin[0]))
    ]


def twin_owners(access: Access, stores: Sequence[Access]) -> list[Access]:
    """The same in twins of these regions, which other barriers may be between."""
    index, path = access.twin
    return [s for s in stores if index is not None and s.twin[0] == index and path[: len(s.twin[1])] == s.twin[1]]


def _blame(index: Affine, uniform: frozenset[core.Value]) -> str | None:
    """What an index is made of that is neither the same for all threads nor a thread's index."""
    named = sorted(
        f"'{atom.value.name}'"
        for monomial, _ in index.terms
        for atom in monomial
        if isinstance(atom, core.Use) and atom.value not in uniform
    )
    if named:
        return named[0]
    return next(iter(sorted(_others(index))), None)


def _others(index: Affine) -> Iterator[str]:
    for monomial, _ in index.terms:
        for atom in monomial:
            if isinstance(atom, core.Builtin) and atom.var in VARYING and not atom.var.value.endswith(".x"):
                yield f"{atom.var.value} alone"
            elif not isinstance(atom, core.Use | core.Builtin):
                yield "what is computed from it by division, remainder or bits"
