"""Buffers of which a kernel reads what it stores to others: `next[i] = f(now[i])`, in a box that may be periodic.

The gradient takes the adjoint of each element that is stored, and adds to that of each element that is read. Where the
two are the same elements, of two buffers, the adjoint of one may be left as it was when it has been taken: if a launch
of the same kind comes next with the buffers exchanged, as time steps do, it replaces all that would be zero.

That they are the same is proved for each thread by itself, where the indices are equal; or for the whole launch, by
counting. If what is read lies at places of which each is the place of a thread that stores there (`now[(i + 1) % n]`),
no element is read twice and as many are read as are stored, then these are all. `covers` says how many threads that
takes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from cladpy.analysis.affine import Affine
from cladpy.analysis.bounds import ONE, Facts, is_not_negative
from cladpy.analysis.dimensions import COORDINATES, INDICES, Bound, Premise, coordinate
from cladpy.analysis.elements import Elements, Site
from cladpy.analysis.reasons import Access
from cladpy.ir import core
from cladpy.ir.names import parts
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import UINT, Pointer, is_integer
from cladpy.ir.walk import subexpressions


@dataclass(frozen=True, slots=True)
class Renewal:
    """`pairs` are buffers that are read, each with one that is stored to at the same elements, in a launch with at
    least the threads that `covers` says. Which elements these are depends on the launch and on the integers `key` among
    the parameters. Where more is read than is stored, `homes` has the loads of each buffer that are made where the
    other one is stored to."""

    pairs: tuple[tuple[core.Root, core.Root], ...]
    covers: tuple[Bound, ...]
    key: tuple[core.Value, ...]
    homes: Mapping[core.Root, frozenset[core.Load]] = field(default_factory=dict)


def find_renewal(
    function: core.Function,
    accesses: Mapping[core.Root, Sequence[Access]],
    once: Mapping[core.Statement, int],
    assumed: tuple[Premise, ...],
) -> Renewal | None:
    """`once` has the accesses that are the only ones to their element in the launch, if it is within the bounds
    `assumed`."""
    search = _Search(function, Elements(function, assumed=assumed))
    read = [r for r in _given(function, accesses, core.Load) if _is_alone(accesses[r], once)]
    stored = [r for r in _given(function, accesses, core.Store) if _is_alone(accesses[r], once)]
    pairs = _paired(read, stored, lambda r, s: search.same_elements(accesses[r], accesses[s]))
    return Renewal(pairs, tuple(search.covers), tuple(search.key)) if pairs else None


def find_renewal_of_cells(
    function: core.Function,
    accesses: Mapping[core.Root, Sequence[Access]],
    once: Mapping[core.Statement, int],
    pulled: Collection[core.Root],
) -> Renewal | None:
    """The same of buffers whose adjoints are gathered: a cell is replaced where a thread reads it and stores to its
    place, and added to elsewhere."""
    search = _Search(function, Elements(function))
    stored = [r for r in _given(function, accesses, core.Store) if _is_alone(accesses[r], once)]
    homes: dict[core.Root, frozenset[core.Load]] = {}

    def has_home(read: core.Root, written: core.Root) -> bool:
        homes[read] = search.home(accesses[read], accesses[written])
        return bool(homes[read])

    pairs = _paired([r for r in _given(function, accesses, core.Load) if r in pulled], stored, has_home)
    return Renewal(pairs, (), tuple(search.key), homes) if pairs else None


def _given(
    function: core.Function, accesses: Mapping[core.Root, Sequence[Access]], kind: type[core.Load] | type[core.Store]
) -> list[core.Root]:
    """The memory of pointers to numbers that are parameters, where all accesses to it are of a kind."""
    given = (p.contents[0] for p in function.parameters if len(p.contents) == 1 and isinstance(p.type, Pointer))
    roots = [c for c in given if isinstance(c, core.Root)]
    return [r for r in roots if accesses.get(r) and all(isinstance(a.statement, kind) for a in accesses[r])]


def _is_alone(accesses: Sequence[Access], once: Mapping[core.Statement, int]) -> bool:
    return all(a.statement is not None and once.get(a.statement) == 0 for a in accesses)


def _paired(
    read: Sequence[core.Root], stored: Sequence[core.Root], fit: Callable[[core.Root, core.Root], bool]
) -> tuple[tuple[core.Root, core.Root], ...]:
    pairs: list[tuple[core.Root, core.Root]] = []
    for root in read:
        free = [s for s in stored if s.element == root.element and all(s is not other for _, other in pairs)]
        match = next((s for s in free if fit(root, s)), None)
        if match is not None:
            pairs.append((root, match))
    return tuple(pairs)


@dataclass(slots=True)
class _Search:
    function: core.Function
    elements: Elements
    covers: dict[Bound, None] = field(default_factory=dict)
    key: dict[core.Value, None] = field(default_factory=dict)
    parameters: set[core.Value] = field(init=False)

    def __post_init__(self) -> None:
        # the run-time state compares them as integers
        numbers = (p for p in self.function.parameters if is_integer(p.type) and len(p.contents) == 1)
        self.parameters = {c for p in numbers for c in p.contents if isinstance(c, core.Value)}

    def same_elements(self, loads: Sequence[Access], stores: Sequence[Access]) -> bool:
        around = stores[0].around
        looped = any(isinstance(statement, core.Loop) for statement, _ in around)
        if looped or len(loads) != len(stores) or any(a.around != around for a in (*loads, *stores)):
            return False
        guards = self._guards(around)
        key = self._named(stores)
        read, written = ([self.elements.site(a) for a in made] for made in (loads, stores))
        left = [site.index for site in written if site is not None]
        if key is None or len(left) < len(stores):
            return False
        bounds: dict[Bound, None] = {}
        for site in read:
            found = None if site is None else self._stored_at(site, left, guards)
            if found is None:
                return False
            index, needed = found
            left.remove(index)
            bounds.update(dict.fromkeys(needed))
        self.covers.update(bounds)
        self.key.update(dict.fromkeys((*key, *(b.limit for b in bounds))))
        return True

    def home(self, loads: Sequence[Access], stores: Sequence[Access]) -> frozenset[core.Load]:
        """The loads that each thread makes from where it stores, one for each store; none where one of them is
        missing."""
        found: set[core.Load] = set()
        for store in stores:
            here = self.elements.site(store)
            for load in loads if here is not None else ():
                site = self.elements.site(load) if load.around == store.around else None
                if here and site and site.index == here.index and isinstance(load.statement, core.Load):
                    found.add(load.statement)
                    break
            else:
                return frozenset()
        key = self._named(stores)
        self.key.update(dict.fromkeys(key or ()))
        return frozenset() if key is None else frozenset(found)

    def _stored_at(
        self, site: Site, stored: list[Affine], guards: Facts | None
    ) -> tuple[Affine, tuple[Bound, ...]] | None:
        """Which of the indices that are stored at is that of a load, in some thread of the launch; and how many threads
        there must be for that."""
        if site.index in stored:
            return site.index, ()
        places: dict[core.Expr, Bound] = {}  # remainders, with what counts them
        index = site.index
        for atom in dict.fromkeys(a for monomial, _ in site.index.terms for a in monomial):
            part = self.elements.part(atom)
            if part is None:
                continue
            place = next((c for c in COORDINATES if self.elements.is_uniform(part.of.plus(c, -1))), None)
            limit = _single(part.by)
            if not part.remainder or place is None or limit not in self.parameters:
                return None
            extents = coordinate(place)
            assert extents is not None and limit is not None
            places[atom] = Bound(extents, limit)
            index = _replaced(index, atom, place)
        axes = [bound.extents[0] for bound in places.values()]
        if index not in stored or len(set(axes)) < len(axes) or not self._is_free_of(places, site.index):
            return None
        return (index, tuple(places.values())) if guards is not None and self._is_run(places, guards) else None

    def _is_run(self, places: Mapping[core.Expr, Bound], guards: Facts) -> bool:
        """Whether the conditions hold in the thread at these places, as they do in another one."""
        facts = list(guards.at_least_zero)
        for atom, bound in places.items():
            position = bound.position
            facts = [_in_place_of(fact, position, Affine.of({(atom,): 1})) for fact in facts]
        untouched = set(guards.at_least_zero)
        for fact in facts:
            if fact in untouched:
                continue
            known = (*self.elements.known((fact,)), *(self._below(a, b) for a, b in places.items()))
            if not is_not_negative(fact, known, self.elements.positive):
                return False
        return all(self._is_free_of(places, fact) for fact in facts)

    def _is_free_of(self, places: Mapping[core.Expr, Bound], polynomial: Affine) -> bool:
        """Whether a polynomial names none of what numbers the threads along the axes of some places."""
        gone = {v for b in places.values() for v in INDICES if INDICES[v] in b.extents}
        atoms = (a for monomial, _ in polynomial.terms for a in monomial)
        return not any(isinstance(a, core.Builtin) and a.var in gone for a in atoms)

    @staticmethod
    def _below(atom: core.Expr, bound: Bound) -> Affine:
        return Affine.of({(core.Use(bound.limit),): 1}).plus(Affine.of({(atom,): 1}), -1).plus(ONE, -1)

    # ---- conditions ------------------------------------------------------------------------------------------------

    def _guards(self, around: Sequence[tuple[core.Statement, int]]) -> Facts | None:
        """What the conditions around an access say, if they say no more than that."""
        found = Facts()
        for statement, number in around:
            if not isinstance(statement, core.If):
                return None
            for part, holds in parts(statement.condition, number == 0, self.elements.lets):
                if not isinstance(part, core.Binary) or part.op not in _COMPARISONS or not is_integer(part.left.type):
                    return None
                here = self.elements.facts(part, holds)
                if not here.at_least_zero:
                    return None
                found = found.and_also(here)
        return found

    def _named(self, accesses: Sequence[Access]) -> list[core.Value] | None:
        """The parameters that the indices of accesses and the conditions around them are made of; None where there is
        more to them than these and the thread's place."""
        found: dict[core.Value, None] = {}
        branches = (s for a in accesses for s, _ in a.around)
        conditions = [s.condition if isinstance(s, core.If) else None for s in branches]
        for expr in (*(a.statement.index for a in accesses if isinstance(a.statement, core.Store)), *conditions):
            if expr is None or not self._is_made_of(expr, found):
                return None
        return list(found)

    def _is_made_of(self, expr: core.Expr, found: dict[core.Value, None]) -> bool:
        """Whether an expression has the same value in a thread of every launch with the same parameters, which are
        added to those that are `found`."""
        for e in subexpressions(expr):
            if isinstance(e, core.Use):
                if e.value in self.elements.lets:
                    if not self._is_made_of(self.elements.lets[e.value], found):
                        return False
                elif e.value in self.parameters:
                    found[e.value] = None
                else:
                    return False
            elif not isinstance(e, _ARITHMETIC):
                return False
        return True


_ARITHMETIC = core.Const | core.Builtin | core.Unary | core.Binary | core.Cast | core.Select | core.Nested
_COMPARISONS = frozenset({BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE, BinaryOp.EQ})


def _single(polynomial: Affine) -> core.Value | None:
    """The value that a polynomial is."""
    terms = list(polynomial.terms)
    if len(terms) == 1 and terms[0][1] == 1 and len(terms[0][0]) == 1:
        atom = terms[0][0][0]
        return atom.value if isinstance(atom, core.Use) else None
    return None


def _replaced(polynomial: Affine, atom: core.Expr, by: Affine) -> Affine:
    total = Affine.of({})
    for monomial, coefficient in polynomial.terms:
        product = Affine.of({(): coefficient})
        for a in monomial:
            product = product.times(by if a == atom else Affine.of({(a,): 1}))
        total = total.plus(product)
    return total


def _in_place_of(polynomial: Affine, position: Affine, by: Affine) -> Affine:
    """With something in place of where a thread is along an axis, as far as it occurs there as a whole."""
    lead = min((monomial for monomial, _ in position.terms), key=len)[0]
    assert isinstance(lead, core.Builtin) and lead.type == UINT
    total = polynomial
    for monomial, coefficient in polynomial.terms:
        if monomial.count(lead) == 1:
            rest = list(monomial)
            rest.remove(lead)
            factor = Affine.of({tuple(rest): coefficient})
            total = total.plus(factor.times(position), -1).plus(factor.times(by))
    return total
