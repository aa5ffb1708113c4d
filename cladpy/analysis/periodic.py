"""Indices that come back from the other end: `x < 0 ? x + n : x >= n ? x - n : x`, `x == 0 ? n - 1 : x - 1`,
`(x - 1 + n) % n`.

However it is written, what is chosen is a remainder by n, if all choices differ by multiples of n and each lies in
[0, n) where it is chosen. Of a remainder more is known than of its choices: it is a digit, and tells what it is the
remainder of, where that spans no more than n (`elements.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cladpy.analysis.affine import Affine, affine
from cladpy.analysis.bounds import ONE, Conditions, Facts, is_not_negative, may_wrap, sharpened
from cladpy.analysis.dimensions import Bound, Premise, coordinate
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp
from cladpy.ir.walk import statements

MOST_CHOICES = 8


@dataclass(slots=True)
class Periodic:
    """`remainder` gives the atom for a remainder, `normal` the normal form of a polynomial, `known` what holds of the
    atoms of some polynomials, `uniform` says whether one is the same for all threads."""

    function: core.Function
    lets: Mapping[core.Value, core.Expr]
    conditions: Conditions
    normal: Callable[[Affine], Affine]
    known: Callable[[tuple[Affine, ...]], tuple[Affine, ...]]
    positive: Callable[[core.Expr], bool]
    uniform: Callable[[Affine], bool]
    remainder: Callable[[Affine, Affine], core.Expr]
    suggested: set[Premise]  # bounds of the launch that would have led to a remainder
    _merges: dict[core.Value, tuple[core.If, core.Merge]] = field(init=False)
    _known: dict[core.Value, list[tuple[Affine, Facts]] | None] = field(default_factory=dict)  # what values may be

    def __post_init__(self) -> None:
        branches = (s for s in statements(self.function.body) if isinstance(s, core.If))
        self._merges = {m.value: (s, m) for s in branches for m in s.merges}

    def resolved(self, index: Affine, facts: Facts) -> Affine:
        """An index with a remainder in place of each atom that is one where the facts hold."""
        total = Affine.of({})
        for monomial, coefficient in index.terms:
            product = Affine.of({(): coefficient})
            for atom in monomial:
                product = product.times(self._atom(atom, facts) or Affine.of({(atom,): 1}))
            total = total.plus(product)
        return total

    def _atom(self, atom: core.Expr, facts: Facts) -> Affine | None:
        if isinstance(atom, core.Binary) and atom.op is BinaryOp.REM:
            of, by = (self.normal(affine(e, self.lets)) for e in (atom.left, atom.right))
            if not self.uniform(by) or may_wrap(of) or may_wrap(by):
                return None
            if not (self._holds(of, facts) and self._holds(by.plus(ONE, -1), facts)):
                return None
            of = min((of.plus(by, -k) for k in range(3)), key=lambda p: len(p.terms))
            return Affine.of({(self.remainder(of, by),): 1})
        if not isinstance(atom, core.Use | core.Select):
            return None
        choices = self._choices(atom)
        if choices is None or len(choices) < 2 or any(may_wrap(value) for value, _ in choices):
            return None
        return self._chosen(choices, facts)

    def _choices(self, expr: core.Expr) -> list[tuple[Affine, Facts]] | None:
        """What an expression may be, each with what holds where it is that; None where these are too many."""
        match expr:
            case core.Use(value) if value in self._known:
                return self._known[value]
            case core.Use(value) if value in self._merges:
                branch, merge = self._merges[value]
                arms = (branch.condition, merge.then, merge.other)
            case core.Use(value) if value in self.lets:
                self._known[value] = self._choices(self.lets[value])
                return self._known[value]
            case core.Select(condition, then, other):
                arms = (condition, then, other)
            case _:
                return [(self.normal(affine(expr, self.lets)), Facts())]
        found: list[tuple[Affine, Facts]] = []
        for arm, holds in ((arms[1], True), (arms[2], False)):
            inner = self._choices(arm)
            if inner is None:
                return None
            here = self.conditions.facts(arms[0], holds)
            found += [(value, here.and_also(more)) for value, more in inner]
        chosen = found if len(found) <= MOST_CHOICES else None
        if isinstance(expr, core.Use):
            self._known[expr.value] = chosen
        return chosen

    def _chosen(self, choices: list[tuple[Affine, Facts]], facts: Facts) -> Affine | None:
        """What is chosen, as a remainder of one of the choices."""
        bases = (value for value, _ in choices if not self.uniform(value))
        for base in sorted(bases, key=lambda p: len(p.terms)):
            same = [self._like(base, value, here) for value, here in choices]
            steps = [s for s in same if s is not None]
            if len(steps) < len(same):
                continue
            period = next((s for s in steps if s.terms), None)
            if period is None:
                continue
            if sum(c for _, c in period.terms) < 0:
                period = Affine.of({}).plus(period, -1)
            if not all(any(s == Affine.of({}).plus(period, k) for k in range(-2, 3)) for s in steps):
                continue
            if all(self._is_digit(value, period, facts.and_also(here)) for value, here in choices):
                return Affine.of({(self.remainder(base, period),): 1})
            self._suggest(base, period)
        return None

    def _like(self, base: Affine, value: Affine, here: Facts) -> Affine | None:
        """By how much a choice differs from another one, if that is the same for all threads; where the condition says
        that two numbers are equal, one may stand for the other."""
        zeros = (a.plus(b, -1) for a, b in here.equal)
        for zero in (Affine.of({}), *zeros):
            for factor in (1, -1):
                apart = value.plus(zero, factor).plus(base, -1)
                if self.uniform(apart):
                    return apart
        return None

    def _is_digit(self, value: Affine, period: Affine, facts: Facts) -> bool:
        return self._holds(value, facts) and self._holds(period.plus(value, -1).plus(ONE, -1), facts)

    def _holds(self, polynomial: Affine, facts: Facts) -> bool:
        """Whether it is at least zero."""
        facts = sharpened(facts, self.known, self.positive)
        every = tuple(dict.fromkeys((*self.known((polynomial, *facts.at_least_zero)), *facts.at_least_zero)))
        return is_not_negative(polynomial, every, self.positive)

    def _suggest(self, base: Affine, period: Affine) -> None:
        """If all threads were on one side of the period, what is chosen might be a remainder."""
        limit = next(iter(period.terms))[0] if len(period.terms) == 1 else ()
        extents = coordinate(base.without_constant())
        if extents is not None and period == Affine.of({limit: 1}) and len(limit) == 1:
            atom = limit[0]
            parameters = {c for p in self.function.parameters for c in p.contents}
            if isinstance(atom, core.Use) and atom.value in parameters:
                self.suggested.add(Bound(extents, atom.value))
