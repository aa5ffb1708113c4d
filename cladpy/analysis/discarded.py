"""Where an adjoint may be zero because what it belongs to is discarded, while an operand beside it is infinite or not a
number.

`t = v * sqrt(v); if (v < 0) t = 0;` gives a finite result, and so does its gradient: where `v` is negative, the adjoint
of the product is zero, and zero times whatever `sqrt` gave contributes zero. Such products are guarded.

A guard costs. It is left out where operands can only be infinite if memory is, and where the product's value always
matters: it is passed on, without a choice on the way, to memory that nothing else overwrites.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import gcd, isfinite

from cladpy.analysis.affine import Affine, affine
from cladpy.analysis.bounds import ONE, Conditions, is_not_negative, may_wrap
from cladpy.analysis.flow import rule_of
from cladpy.analysis.structure import Index
from cladpy.ir import core, reach
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import is_floating
from cladpy.ir.walk import children, statements, subexpressions, values

_Around = tuple[core.Statement, ...]


@dataclass(frozen=True, slots=True)
class Discarded:
    """`infinite` has values that may be infinite or not a number though all memory is finite; `mattering` those whose
    adjoint is zero only if the adjoints of the results are; `final` the stores whose content stays. `called` says that
    the function's own results may be discarded."""

    infinite: frozenset[core.Value] = frozenset()
    mattering: frozenset[core.Value] = frozenset()
    final: frozenset[core.Store] = frozenset()
    called: bool = True

    def may_be_infinite(self, expr: core.Expr) -> bool:
        return _is_infinite(expr, self.infinite)

    def matters(self, *given: core.Value) -> bool:
        """Whether what is computed for all of these values matters."""
        return self.mattering.issuperset(given)


NOTHING = Discarded()


def discarded(function: core.Function, *, may_alias: bool, called: bool) -> Discarded:
    """`called` says that the results are those of a call, whose caller may discard them."""
    infinite = _infinite_values(function)
    if not infinite and not any(_is_singular(e) for e in _expressions(function)):
        return NOTHING
    index = Index.of(function, may_alias)
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    final = frozenset(s for s in index.places if isinstance(s, core.Store) and _stays(s, index, lets))
    return Discarded(infinite, _Mattering(function, index, final, called).run(), final, called)


# ---- what may be infinite --------------------------------------------------------------------------------------------


def _expressions(function: core.Function) -> Iterator[core.Expr]:
    for s in statements(function.body):
        if isinstance(s, core.Let | core.Store | core.AtomicAdd):
            yield from subexpressions(core.primal(s.expr))


def _is_singular(expr: core.Expr) -> bool:
    """Whether an operation on finite numbers may give something else, or a constant is something else."""
    match expr:
        case core.Const(value):
            return not isfinite(value)
        case core.Binary(BinaryOp.DIV, _, core.Const(value)):
            return not value
        case core.Formula():  # a partial
            return True
        case _:
            rule = rule_of(expr) if isinstance(expr, core.Math) or is_floating(expr.type) else None
            return rule is not None and rule.singular


def _is_infinite(expr: core.Expr, infinite: frozenset[core.Value] | set[core.Value]) -> bool:
    return any(_is_singular(e) or (isinstance(e, core.Use) and e.value in infinite) for e in subexpressions(expr))


def _infinite_values(function: core.Function) -> frozenset[core.Value]:
    every = list(statements(function.body))
    found: set[core.Value] = set()
    memory: set[core.Root] = set()
    before = -1
    while before != len(found) + len(memory):
        before = len(found) + len(memory)
        for s in every:
            match s:
                case core.Store(root, _, expr) | core.AtomicAdd(root, _, expr):
                    if _is_infinite(expr, found):
                        memory.add(root.memory)
                case core.Load(value, root):
                    if root.memory in memory:
                        found.add(value)
                case _:
                    made = ((v, of) for v, of in _made(s) if is_floating(v.type))
                    found |= {v for v, of in made if any(_is_infinite(e, found) for e in of)}
                    if isinstance(s, core.Call):
                        found |= {o.value for o in s.outputs}
                        memory |= {root.memory for root in reach.written(s, function)}
    return frozenset(found)


def _made(s: core.Statement) -> Iterator[tuple[core.Value, tuple[core.Expr, ...]]]:
    """The values that a statement defines, with what each is made of."""
    match s:
        case core.Let(value, expr):
            yield value, (core.primal(expr),)
        case core.Collective(value, operands=operands) if value is not None:
            yield value, operands
        case core.If(merges=merges):
            for m in merges:
                yield m.value, (m.then, m.other)
        case core.Loop(carried=carried):
            for c in carried:
                yield c.value, (c.init, c.next)
                yield c.result, (c.init, c.next)
        case _:
            pass


# ---- what matters ----------------------------------------------------------------------------------------------------


def _stays(store: core.Store, index: Index, lets: Mapping[core.Value, core.Expr]) -> bool:
    """Whether the thread makes no store that takes the place of this one's content, in the same loop either."""
    others = index.stores[index.memory(store.root)]
    if not store.root.outlives or not all(_is_elsewhere(store, s, index, lets) for s in others):
        return False
    at = [index.definitions.get(v) for v in values(store.index)]
    return all(
        any(d is loop or (d is not None and loop in index.places[d].around) for d in at)
        for loop in index.places[store].loops()
    )


def _is_elsewhere(store: core.Store, other: core.Statement, index: Index, lets: Mapping[core.Value, core.Expr]) -> bool:
    """Whether another store comes before this one, or is to a neighbour of its element."""
    if other is store or isinstance(other, core.AtomicAdd):
        return True
    if not isinstance(other, core.Store):
        return False
    here, there = index.places[store], index.places[other]
    if any(loop in there.loops() for loop in here.loops()):
        return False
    if there.position < here.position:
        return True
    apart = affine(store.index, lets).plus(affine(other.index, lets), -1)
    if other.root is not store.root:
        return False
    if not apart.without_constant().terms:
        return apart.constant() != 0
    return _is_not_zero(apart, _facts(store, here.around, lets))


def _facts(store: core.Store, around: _Around, lets: Mapping[core.Value, core.Expr]) -> tuple[Affine, ...]:
    """What is at least zero where the store is made, by the branches that it stands in."""
    conditions = Conditions(lets, lambda e: affine(e, lets), _is_built_in)
    found: list[Affine] = []
    for s in around:
        if isinstance(s, core.If):
            holds = any(t is store for t in statements(s.then))
            found += conditions.facts(s.condition, holds).at_least_zero
    return tuple(found)


def _is_not_zero(polynomial: Affine, facts: tuple[Affine, ...]) -> bool:
    """Whether a polynomial, such as 3 * n where `i < n`, is positive or negative by the facts."""
    if any(may_wrap(p) for p in (polynomial, *facts)):
        return False
    divisor = gcd(*(c for _, c in polynomial.terms))
    reduced = Affine.of({m: c // divisor for m, c in polynomial.terms})
    negative = Affine.of({}).plus(reduced, -1)
    return any(is_not_negative(p.plus(ONE, -1), facts, _is_built_in) for p in (reduced, negative))


def _is_built_in(atom: core.Expr) -> bool:
    return isinstance(atom, core.Builtin)


class _Mattering:
    """The largest set of values each of which is passed on to one of the set, or to what stays."""

    def __init__(self, function: core.Function, index: Index, final: frozenset[core.Store], called: bool) -> None:
        self.index = index
        self.scopes: dict[core.Value, _Around] = {}
        # For each value the uses of which one has to matter, by the values that then have to matter.
        self.uses: Mapping[core.Value, list[tuple[core.Value, ...]]] = defaultdict(list)
        for s in statements(function.body):
            if isinstance(s, core.Loop):
                inside = (*index.places[s].around, s)
                self.scopes |= {c.value: inside for c in s.carried}
        for s in statements(function.body):
            self._collect(s, final)
        if not called:
            for leaf in function.results:
                self._pass(leaf.expr, (), ())

    def run(self) -> frozenset[core.Value]:
        found = set(self.uses)
        users: Mapping[core.Value, list[core.Value]] = defaultdict(list)
        for value, uses in self.uses.items():
            for use in uses:
                for result in use:
                    users[result].append(value)
        work = [v for v in users if v not in found]
        work += [v for v in self.uses if not any(found.issuperset(use) for use in self.uses[v])]
        found.difference_update(work)
        while work:
            for value in users[work.pop()]:
                if value in found and not any(found.issuperset(use) for use in self.uses[value]):
                    found.remove(value)
                    work.append(value)
        return frozenset(found)

    def _collect(self, s: core.Statement, final: frozenset[core.Store]) -> None:
        around = self.index.places[s].around
        match s:
            case core.Let(value, expr):
                self._pass(expr, (value,), around)
            case core.Store(expr=expr) if s in final:
                self._pass(expr, (), around)
            case core.AtomicAdd(root=root, expr=expr) if root.outlives:
                self._pass(expr, (), around)
            case core.If(merges=merges):
                for m in merges:
                    self._pass(m.then, (m.value,), (*around, s))
                    self._pass(m.other, (m.value,), (*around, s))
            case core.Loop(carried):
                for c in carried:
                    self._pass(c.init, (c.value,), around)
                    self._pass(c.next, (c.value, c.result), (*around, s))
            case _:
                pass

    def _pass(self, expr: core.Expr, to: tuple[core.Value, ...], around: _Around) -> None:
        """What a value of the expression is always passed on to."""
        for value in _passed(expr):
            definition = self.index.definitions.get(value)
            scope = self.scopes.get(value) or (() if definition is None else self.index.places[definition].around)
            if not any(isinstance(s, core.If) for s in around[len(scope) :]):
                self.uses[value].append(to)


def _passed(expr: core.Expr) -> Iterator[core.Value]:
    """The values that an expression passes on, whatever it chooses."""
    match expr:
        case core.Use(value):
            yield value
        case _:
            rule = rule_of(expr)
            if rule is None or (isinstance(expr, core.Binary) and not is_floating(expr.type)):
                return
            for i, (operand, partial) in enumerate(zip(children(expr), rule.partials, strict=True)):
                if partial is not None and not rule.discards(i):
                    yield from _passed(operand)
