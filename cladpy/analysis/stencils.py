"""Buffers that threads read around their own place: `u[i - 1]`, `u[i]`, `u[i + 1]`.

What a thread reads lies at its place p, or at the place p + d of another one, with a few constant shifts d. Then
the adjoint of a cell c is made of what the threads at c - d contribute, and a thread for each cell can gather it: no
two threads add to one element, if cells have elements of their own. That is proved as for indices of threads
(`elements.py`), with cells in their place.

A place is a thread's number along each axis of the launch, counted over all blocks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cladpy.analysis.affine import VARYING, Affine
from cladpy.analysis.bounds import Facts
from cladpy.analysis.dimensions import BLOCKS, THREADS
from cladpy.analysis.elements import Elements, Site
from cladpy.analysis.reasons import Access
from cladpy.ir import core
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.types import LONG, UINT
from cladpy.ir.walk import operands, statements, subexpressions

Shift = tuple[int, int, int]

MOST_LOADS = 32  # of one buffer
FARTHEST = 64  # along an axis
AXES = tuple(zip(THREADS, BLOCKS, strict=True))


@dataclass(frozen=True, slots=True)
class Axis:
    """What counts the threads along an axis, if the extents `single` are 1: the thread's index in its block, the
    block's index, both, or neither."""

    thread: BuiltinVar | None
    block: BuiltinVar | None
    single: tuple[BuiltinVar, ...]
    place: core.Value = field(default_factory=lambda: core.Value("_at", LONG))


@dataclass(frozen=True, slots=True)
class Pulled:
    """A buffer with how far from the thread's place it is loaded."""

    root: core.Root
    shifts: Mapping[core.Load, Shift]


@dataclass(frozen=True, slots=True)
class Stencil:
    axes: tuple[Axis, ...]
    pulled: tuple[Pulled, ...]

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """In the order in which they are gathered."""
        return tuple(sorted({s for p in self.pulled for s in p.shifts.values()}, key=lambda s: s[::-1]))

    def reach(self, axis: int) -> tuple[int, int]:
        """How far shifts go down and up along an axis."""
        along = [s[axis] for s in self.shifts]
        return min(0, *along), max(0, *along)


def find_stencil(
    function: core.Function, accesses: Mapping[core.Root, Sequence[Access]], roots: Sequence[core.Root]
) -> Stencil | None:
    """Those of the buffers whose adjoints can be gathered."""
    axes = _axes(function)
    places = {axis.place for axis in axes}
    elements = Elements(function)
    pulled = (_pulled(root, accesses.get(root, ()), axes, places, elements) for root in roots)
    found = tuple(p for p in pulled if p is not None)
    return Stencil(axes, found) if found else None


def _axes(function: core.Function) -> tuple[Axis, ...]:
    every = (e for s in statements(function.body) for operand in operands(s) for e in subexpressions(operand))
    named = {e.var for e in every if isinstance(e, core.Builtin)}
    found = []
    for thread, block in AXES:
        single = tuple(
            extent for index, extent in ((thread, THREADS[thread]), (block, BLOCKS[block])) if index not in named
        )
        found.append(Axis(thread if thread in named else None, block if block in named else None, single))
    return tuple(found)


def _pulled(
    root: core.Root, accesses: Sequence[Access], axes: tuple[Axis, ...], places: set[core.Value], elements: Elements
) -> Pulled | None:
    loads = [a.statement for a in accesses if isinstance(a.statement, core.Load)]
    if not 2 <= len(accesses) <= MOST_LOADS or len(loads) < len(accesses) or root.kind is not core.RootKind.ARGUMENT:
        return None
    sites = [_placed(elements.site(a), axes, elements) for a in accesses]
    indices = [None if site is None or site.loops else site.index for site in sites]
    if any(index is None or not _is_linear(index, places, elements) for index in indices):
        return None
    known = [index for index in indices if index is not None]
    home = min(range(len(known)), key=lambda k: _spread([_shift(i, known[k], axes) for i in known]))
    shifts = [_shift(index, known[home], axes) for index in known]
    cells = [
        None if site is None or shift is None else _moved(site, shift, axes)
        for site, shift in zip(sites, shifts, strict=True)
    ]
    given = [cell for cell in cells if cell is not None]
    if len(given) < len(cells) or not _own_elements(given, axes, elements):
        return None
    return Pulled(root, {load: s for load, s in zip(loads, shifts, strict=True) if s is not None})


def _placed(site: Site | None, axes: tuple[Axis, ...], elements: Elements) -> Site | None:
    """A site in terms of places; None where its index needs more than these."""
    if site is None:
        return None
    index = _in_places(site.index, axes)
    if _names_threads(index):
        return None
    facts = (_in_places(fact, axes) for fact in site.facts.at_least_zero)
    equal = ((_in_places(a, axes), _in_places(b, axes)) for a, b in site.facts.equal)
    kept = Facts(
        tuple(f for f in facts if not _names_threads(f)),
        tuple((a, b) for a, b in equal if not _names_threads(a) and not _names_threads(b)),
    )
    return Site(index, kept, site.around, site.loops)


def _in_places(polynomial: Affine, axes: tuple[Axis, ...]) -> Affine:
    """With `blockIdx.x * blockDim.x + threadIdx.x` as a place."""
    given: dict[core.Expr, Affine] = {}
    for axis in axes:
        place = Affine.of({(core.Use(axis.place),): 1})
        if axis.thread is not None and axis.block is not None:
            before = _of(axis.block).times(_of(THREADS[axis.thread]))
            given[core.Builtin(axis.thread, UINT)] = place.plus(before, -1)
        elif axis.thread is not None or axis.block is not None:
            given[core.Builtin(axis.thread or axis.block or BuiltinVar.THREAD_X, UINT)] = place
    return _substituted(polynomial, given)


def _substituted(polynomial: Affine, given: Mapping[core.Expr, Affine]) -> Affine:
    total = Affine.of({})
    for monomial, coefficient in polynomial.terms:
        product = Affine.of({(): coefficient})
        for atom in monomial:
            product = product.times(given.get(atom) or Affine.of({(atom,): 1}))
        total = total.plus(product)
    return total


def _names_threads(polynomial: Affine) -> bool:
    atoms = (atom for monomial, _ in polynomial.terms for atom in monomial)
    return any(isinstance(e, core.Builtin) and e.var in VARYING for atom in atoms for e in subexpressions(atom))


def _is_linear(index: Affine, places: set[core.Value], elements: Elements) -> bool:
    """Whether an index is a sum of places, times what is the same for all threads."""
    for monomial, _ in index.terms:
        rest = [a for a in monomial if not (isinstance(a, core.Use) and a.value in places)]
        if len(monomial) - len(rest) > 1 or not elements.is_uniform(Affine.of({tuple(rest): 1})):
            return False
    return True


def _shift(index: Affine, home: Affine, axes: tuple[Axis, ...]) -> Shift | None:
    """By how many places a load is away from another one."""
    apart = index.plus(home, -1)
    found = [0, 0, 0]
    steps = [(number, _step(home, axis.place)) for number, axis in enumerate(axes)]
    for number, step in sorted(steps, key=lambda s: -max((len(m) for m, _ in s[1].terms), default=0)):
        if not step.terms:
            continue
        monomial, coefficient = max(step.terms, key=lambda t: (len(t[0]), repr(t[0])))
        times, rest = divmod(dict(apart.terms).get(monomial, 0), coefficient)
        if rest or abs(times) > FARTHEST:
            return None
        found[number] = times
        apart = apart.plus(step, -times)
    return None if apart.terms else (found[0], found[1], found[2])


def _step(index: Affine, place: core.Value) -> Affine:
    """By how much an index grows from one place to the next."""
    found: dict[tuple[core.Expr, ...], int] = {}
    for monomial, coefficient in index.terms:
        rest = tuple(a for a in monomial if a != core.Use(place))
        if len(rest) < len(monomial):
            found[rest] = found.get(rest, 0) + coefficient
    return Affine.of(found)


def _spread(shifts: Sequence[Shift | None]) -> int:
    """How far shifts reach; large where there is none."""
    return sum(3 * FARTHEST if s is None else sum(map(abs, s)) for s in shifts)


def _moved(site: Site, shift: Shift, axes: tuple[Axis, ...]) -> Site:
    """A site in terms of the cell that is loaded, which lies by a shift from the thread's place; places are not below
    zero."""
    given: dict[core.Expr, Affine] = {}
    for axis, by in zip(axes, shift, strict=True):
        given[core.Use(axis.place)] = Affine.of({(core.Use(axis.place),): 1, (): -by})
    facts = (_substituted(fact, given) for fact in site.facts.at_least_zero)
    equal = tuple((_substituted(a, given), _substituted(b, given)) for a, b in site.facts.equal)
    return Site(_substituted(site.index, given), Facts((*facts, *given.values()), equal), site.around, site.loops)


def _own_elements(cells: list[Site], axes: tuple[Axis, ...], elements: Elements) -> bool:
    """Whether cells that have one element are one cell."""
    one = all(cell.index == cells[0].index for cell in cells)
    counted = {core.Use(axis.place) for axis in axes if axis.thread is not None or axis.block is not None}
    return one and all(_same_place(elements.same(a, b), counted) for a, b in _pairs(cells))


def _same_place(same: object, counted: set[core.Use]) -> bool:
    return not isinstance(same, frozenset) or counted <= same


def _pairs(cells: list[Site]) -> Iterator[tuple[Site, Site]]:
    different = {cell.facts: cell for cell in cells}.values()
    return itertools.combinations_with_replacement(different, 2)


def _of(variable: BuiltinVar) -> Affine:
    return Affine.of({(core.Builtin(variable, UINT),): 1})
