"""Where the contents of shared memory begin: at the start of a loop's iteration, where no iteration sees what an
earlier one left.

A tile that every iteration loads anew need not be stored for the reverse sweep, which loads it again. That takes a
proof that whatever an iteration reads, if anybody ever wrote it, has been written in the same iteration: all stores
have addresses, and conditions, that are the same in each iteration of this loop and of those around it, and come before
the loads.

The last tile may be a shorter one: `if (first + lane < n) tile[lane] = x[first + lane]`, read at `k` where `first + k
< n`. A condition that differs between iterations does no harm where what it asks of the index of the store is known of
that of the load: the thread whose index that is, if there is one, has stored there in this iteration. So it is with the
condition of a loop in which threads store by turns: `for (j = lane; j < count; j += lanes) tile[j] = x[first + j]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from cladpy.analysis.affine import Affine, affine, led_by
from cladpy.analysis.bounds import is_not_negative
from cladpy.analysis.elements import Elements
from cladpy.analysis.loops import loop_facts
from cladpy.analysis.reasons import Access
from cladpy.ir import core
from cladpy.ir.walk import begun, defined, regions, statements, touched, values

_KINDS = (core.RootKind.SHARED, core.RootKind.LOCAL)

Guard = tuple[tuple[core.Statement, int], ...]  # the control flow around a store, with the arm of a branch


@dataclass(frozen=True, slots=True)
class _Written:
    """Cells that an iteration writes for certain: those at `index`, by the threads that pass `guard`."""

    index: Affine
    guard: Guard

    def is_among(self, other: _Written) -> bool:
        """Whether all cells are among those of another: no other threads store there."""
        return self.index == other.index and set(other.guard) <= set(self.guard)


@dataclass(frozen=True, slots=True)
class _Limited:
    """Cells of which an iteration writes those where `rest + factor * index` is at least zero for each of `limits`."""

    written: _Written
    limits: tuple[tuple[Affine, int], ...]


@dataclass(slots=True)
class _Seen:
    """What has been written in an iteration when control comes to a place."""

    certain: list[_Written] = field(default_factory=list)
    limited: list[_Limited] = field(default_factory=list)

    def copy(self) -> _Seen:
        return _Seen(list(self.certain), list(self.limited))


class _Names:
    """What names and loops stand for in a function, asked for only where a condition matters."""

    def __init__(self, function: core.Function, lets: Mapping[core.Value, core.Expr]) -> None:
        self.function = function
        self.lets = lets

    @cached_property
    def elements(self) -> Elements:
        return Elements(self.function, in_block=True)


def with_scopes(function: core.Function) -> core.Function:
    """The function with each allocation of shared memory where its contents begin."""
    allocations = [s for s in function.body if isinstance(s, core.Allocate) and s.root.kind in _KINDS]
    if not allocations:
        return function
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    body: core.Region = tuple(s for s in function.body if s not in allocations)
    parts = {a.root.part_of for a in allocations}
    for allocation in reversed(allocations):
        if allocation.root.part_of is not None or allocation.root in parts:
            body = (allocation, *body)  # memory that is used as several types is not followed
            continue
        placed = _placed(body, allocation, _Names(replace(function, body=body), lets), frozenset(), may_be_here=True)
        assert placed is not None
        body = placed
    return replace(function, body=body)


def _placed(
    region: core.Region,
    allocation: core.Allocate,
    names: _Names,
    changing: frozenset[core.Value],
    *,
    may_be_here: bool,
) -> core.Region | None:
    """The region with the allocation as deep inside as it may be; None where it may be nowhere. `changing` are the
    values that differ between iterations of the loops around."""
    root = allocation.root
    users = [s for s in region if _uses(s, root)]
    if len(users) == 1:
        match users[0]:
            case core.If(then=then, other=other) as branch:
                arms = [any(_uses(s, root) for s in arm) for arm in (then, other)]
                if arms != [True, True]:
                    inside = _placed(then if arms[0] else other, allocation, names, changing, may_be_here=may_be_here)
                    if inside is not None:
                        changed = replace(branch, then=inside) if arms[0] else replace(branch, other=inside)
                        return _replaced(region, branch, changed)
            case core.Loop(before=before, body=body) as loop if not any(_uses(s, root) for s in before):
                iteration = _Iteration(loop, root, names, changing)
                closed = iteration.is_closed()
                inside = _placed(body, allocation, names, frozenset(iteration.changing), may_be_here=closed)
                if inside is not None:
                    return _replaced(region, loop, replace(loop, body=inside))
            case _:
                pass
    return (allocation, *region) if may_be_here else None


def _replaced(region: core.Region, old: core.Statement, new: core.Statement) -> core.Region:
    return tuple(new if s is old else s for s in region)


def _uses(statement: core.Statement, root: core.Root) -> bool:
    return any(root in touched(s) for s in statements((statement,)))


class _Iteration:
    """One loop, and what its iterations do to one piece of shared memory."""

    def __init__(self, loop: core.Loop, root: core.Root, names: _Names, changing: frozenset[core.Value]) -> None:
        self.loop = loop
        self.root = root
        self.names = names
        self.lets = names.lets
        self.changing = self._changing() | changing
        self._turns: dict[core.Loop, set[core.Value]] = {}

    def is_closed(self) -> bool:
        """Whether what an iteration loads, and anybody wrote, it has stored itself before."""
        every = [w for s in statements(self.loop.body) for w in self._possible(s)]
        if None in every:
            return False
        self.every = {w for w in every if w is not None}
        return self._follow(self.loop.body, (), ((self.loop, 1),), _Seen())

    def _possible(self, statement: core.Statement) -> list[_Written | None]:
        """What a statement may write in some iteration; None for what is not known."""
        if not isinstance(statement, core.WRITES) or statement.root is not self.root:
            return []
        if self._varies(statement.index):
            return [None]
        return [_Written(affine(statement.index, self.lets), self._guard_of(statement))]

    def _guard_of(self, statement: core.Statement) -> Guard:
        """The control flow around a store that is the same in every iteration."""
        found: list[tuple[core.Statement, int]] = []

        def visit(region: core.Region, guard: Guard) -> bool:
            for s in region:
                if s is statement:
                    found.extend(guard)
                    return True
                for arm, inner in enumerate(regions(s)):
                    constant = isinstance(s, core.If | core.Loop) and not self._control_varies(s)
                    if visit(inner, (*guard, (s, arm)) if constant else guard):
                        return True
            return False

        visit(self.loop.body, ())
        return tuple(found)

    def _follow(self, region: core.Region, guard: Guard, around: Guard, seen: _Seen) -> bool:
        """Goes through a region in order; `seen` collects what has been written, `around` is all control flow."""
        for statement in region:
            match statement:
                case core.Store(root=root, index=index) if root is self.root:
                    seen.certain.append(_Written(affine(index, self.lets), guard))
                case core.Load(root=root, index=index) if root is self.root:
                    if not self._is_written(index, around, seen):
                        return False
                case _ if self.root in touched(statement):  # an atomic operation reads what it adds to
                    if self._missing(around, seen):
                        return False
                case core.If():
                    if not self._follow_branch(statement, guard, around, seen):
                        return False
                case core.Loop(before=before, body=body):
                    mine = seen.copy()
                    constant = not self._control_varies(statement)
                    inner_guard = (*guard, (statement, 1)) if constant else guard
                    if not self._follow(before, guard, (*around, (statement, 0)), mine):
                        return False
                    if not self._follow(body, inner_guard, (*around, (statement, 1)), mine):
                        return False
                    if constant:
                        _add(seen, mine)
                    elif not before and loop_facts(statement, self.lets).trip_count is not None:
                        # it comes to all turns in which its condition holds
                        new = mine.certain[len(seen.certain) :]
                        seen.limited += self._limited_by(statement.condition, True, new)
                case _:
                    pass
        return True

    def _missing(self, around: Guard, seen: _Seen) -> set[_Written]:
        """What may be written in an iteration and has not all been at a place: that which an inner loop around it
        stores by its own numbers is not before the last turn of it. What has been is again where one has stored who
        may store there, as `tile[t] += tile[t + half]` does for some of those that have filled it."""
        been = [w for w in seen.certain if self._is_over(w, around)]
        return {w for w in self.every if not any(w.is_among(b) for b in been)}

    def _is_written(self, index: core.Expr, around: Guard, seen: _Seen) -> bool:
        """Whether what a load reads, if anybody ever wrote it, has been written in this iteration."""
        missing = self._missing(around, seen)
        if not missing or any(
            w.index == affine(index, self.lets) and set(w.guard) <= set(around) for w in seen.certain
        ):  # else its own thread has stored there
            return True
        there = self._written_there(index, around, [w for w in seen.limited if self._is_over(w.written, around)])
        return all(any(w.is_among(t) for t in there) for w in missing)

    def _is_over(self, written: _Written, around: Guard) -> bool:
        """Whether no loop around a place has more turns in which it stores to other cells."""
        used = {v for monomial, _ in written.index.terms for atom in monomial for v in values(atom)}
        loops = (s for s, _ in around if isinstance(s, core.Loop) and s is not self.loop)
        return all(used.isdisjoint(self._of(loop)) for loop in loops)

    def _of(self, loop: core.Loop) -> set[core.Value]:
        """What differs between the turns of a loop inside of this one, its number among them."""
        if loop not in self._turns:
            inside = tuple(statements((*loop.before, *loop.body)))
            every = {v for s in inside for v in (*defined(s), *begun(s))}.union(begun(loop))
            counter = self.names.elements.counters.get(loop)
            self._turns[loop] = every if counter is None else every | set(values(counter))
        return self._turns[loop]

    def _follow_branch(self, branch: core.If, guard: Guard, around: Guard, seen: _Seen) -> bool:
        arms = tuple(enumerate((branch.then, branch.other)))
        if not self._control_varies(branch):
            return all(self._follow(r, (*guard, (branch, n)), (*around, (branch, n)), seen) for n, r in arms)
        found = [seen.copy() for _ in arms]
        if not all(self._follow(r, guard, (*around, (branch, n)), found[n]) for n, r in arms):
            return False
        then, other = (f.certain[len(seen.certain) :] for f in found)
        for number, new in enumerate((then, other)):
            seen.limited += self._limited_by(branch.condition, number == 0, new)
        seen.certain += [w for w in then if w in other]
        return True

    # ---- cells that a condition leaves out -------------------------------------------------------------------------

    def _limited_by(self, condition: core.Expr, holds: bool, new: list[_Written]) -> list[_Limited]:
        """What is written where a condition holds, or does not, by what that asks of the index: nothing else may differ
        between threads."""
        known = self.names.elements.exactly(condition, holds) if new else None
        if known is None:
            return []
        found = []
        for written in new:
            index = self.names.elements.normal(written.index)
            limits = tuple(limit for p in known if (limit := self._in_terms_of(index, p)) is not None)
            if len(limits) == len(known):
                found.append(_Limited(written, limits))
        return found

    def _in_terms_of(self, index: Affine, polynomial: Affine) -> tuple[Affine, int] | None:
        """A polynomial as a multiple of an index and a rest that is one for all threads of a block in an iteration."""
        given = dict(polynomial.terms)
        for monomial, coefficient in index.terms:
            if monomial and not self._is_one_number(Affine.of({monomial: 1})):
                factor, left = divmod(given.get(monomial, 0), coefficient)
                rest = polynomial.plus(index, -factor)
                return (rest, factor) if left == 0 and self._is_one_number(rest) else None
        return None

    def _is_one_number(self, polynomial: Affine) -> bool:
        elements = self.names.elements

        def is_one(atom: core.Expr) -> bool:
            if (part := elements.part(atom)) is not None:
                return self._is_one_number(part.of) and self._is_one_number(part.by)
            return not elements.varying.expr(atom) and self._of_inner_loops.isdisjoint(values(atom))

        return all(is_one(atom) for monomial, _ in polynomial.terms for atom in monomial)

    @cached_property
    def _of_inner_loops(self) -> set[core.Value]:
        """What differs between the turns of loops inside of this one, and what comes out of them."""
        inner = [s for s in statements(self.loop.body) if isinstance(s, core.Loop)]
        return {v for loop in inner for v in (*self._of(loop), *defined(loop))}

    def _written_there(self, index: core.Expr, around: Guard, limited: list[_Limited]) -> set[_Written]:
        """Of what conditions leave out parts of, that which they do not leave out where a load is."""
        elements = self.names.elements
        site = None if led_by(index) else elements.site(Access(affine(index, self.lets), (), around=around))
        if site is None:
            return set()
        facts = site.facts.at_least_zero

        def holds(rest: Affine, factor: int) -> bool:
            asked = rest.plus(site.index, factor)
            every = tuple(dict.fromkeys((*elements.known((asked, *facts), facts), *facts)))
            return is_not_negative(asked, every, elements.positive)

        return {w.written for w in limited if all(holds(*limit) for limit in w.limits)}

    # ---- what differs between iterations -------------------------------------------------------------------------

    def _varies(self, expr: core.Expr) -> bool:
        return any(v in self.changing for v in values(expr))

    def _control_varies(self, statement: core.If | core.Loop) -> bool:
        if isinstance(statement, core.If):
            return self._varies(statement.condition)
        return self._varies(statement.condition) or any(c.value in self.changing for c in statement.carried)

    def _changing(self) -> set[core.Value]:
        """The values of the loop that may differ from one iteration to the next. An inner loop's counter does not:
        it goes through the same values each time."""
        body = (*self.loop.before, *self.loop.body)
        written = {s.root for s in statements(body) if isinstance(s, core.WRITES)}
        changing = {v for c in self.loop.carried for v in (c.value, c.result)}
        while True:
            before = len(changing)
            for s in statements(body):
                changing |= _depending(s, changing, written)
            if len(changing) == before:
                return changing


def _add(seen: _Seen, more: _Seen) -> None:
    seen.certain += [w for w in more.certain if w not in seen.certain]
    seen.limited += [w for w in more.limited if w not in seen.limited]


def _depending(statement: core.Statement, changing: set[core.Value], written: set[core.Root]) -> set[core.Value]:
    """What a statement defines that depends on values that change."""

    def varies(expr: core.Expr) -> bool:
        return any(v in changing for v in values(expr))

    match statement:
        case core.Let(value, expr):
            return {value} if varies(expr) else set()
        case core.Load(value, root, index):
            return {value} if root in written or varies(index) else set()
        case core.If(condition, _, _, merges):
            return {m.value for m in merges if varies(condition) or varies(m.then) or varies(m.other)}
        case core.Loop(carried, _, condition):
            through = {v for c in carried if varies(c.init) or varies(c.next) for v in (c.value, c.result)}
            return through | ({c.result for c in carried} if varies(condition) else set())
        case _:
            return set(defined(statement))
