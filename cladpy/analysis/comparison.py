"""When two indices are equal, digit by digit; see `elements.py`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.analysis.affine import LARGEST, Affine, Monomial
from cladpy.analysis.bounds import ONE, Facts
from cladpy.ir import core

if TYPE_CHECKING:
    from cladpy.analysis.elements import Elements

ZERO = Affine.of({})
DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Never:
    """The two are never equal."""


NEVER = Never()
Same = frozenset[core.Expr] | Never  # the atoms that are equal where two indices are


@dataclass(slots=True)
class Part:
    """A quotient or a remainder: of what, by what."""

    of: Affine
    by: Affine
    remainder: bool


class Comparison:
    """Two indices, each with what is known where it is used. Atoms that differ between threads are those of the first
    in the first index, those of the second in the second, by the same names. `steady` are values that change, and are
    the same wherever the two accesses may meet."""

    def __init__(
        self, elements: Elements, first: Facts, second: Facts, steady: frozenset[core.Value] = frozenset()
    ) -> None:
        self.elements = elements
        self.steady = steady
        self.facts = (first.at_least_zero, second.at_least_zero)
        self.done: dict[tuple[Affine, Affine], Same] = {}

    def equal(self, a: Affine, b: Affine, depth: int) -> Same:
        """The atoms that are equal where the two polynomials are."""
        if (a, b) not in self.done:
            self.done[a, b] = frozenset()  # while it is being looked at
            self.done[a, b] = self._equal(a, b, depth)
        return self.done[a, b]

    def _equal(self, a: Affine, b: Affine, depth: int) -> Same:
        difference = a.plus(b, -1)
        if self._is_uniform(a) and self._is_uniform(b):
            return NEVER if not difference.without_constant().terms and difference.terms else frozenset()
        mine, other = self._varying(a), self._varying(b)
        if len(mine) == 1 and mine == other and self._is_uniform(difference):
            (monomial, coefficient), *_ = mine
            if len(monomial) == 1 and not difference.without_constant().terms:
                apart = difference.constant()
                if apart == 0:
                    return frozenset(monomial)
                if apart % coefficient:
                    return NEVER
                return frozenset()
        if depth == DEEPEST:
            return frozenset()
        found: Same = frozenset()
        for x, y in self._variants(a, b):
            for radix in self._radices(x, y):
                found = both(found, self._by_digits(x, y, radix, depth))
                if isinstance(found, Never):
                    return NEVER
        return found

    def _is_uniform(self, polynomial: Affine) -> bool:
        return self.elements.is_uniform(polynomial, self.steady)

    def _varying(self, polynomial: Affine) -> tuple[tuple[Monomial, int], ...]:
        return tuple((m, c) for m, c in polynomial.terms if m and not self._is_uniform(Affine.of({m: c})))

    def _variants(self, a: Affine, b: Affine) -> Iterator[tuple[Affine, Affine]]:
        """The two, and the two without what they have in common and is the same for all threads."""
        yield a, b
        common = {m: c for m, c in b.terms if self._is_uniform(Affine.of({m: c})) and dict(a.terms).get(m)}
        if common:
            shared = Affine.of(common)
            yield a.plus(shared, -1), b.plus(shared, -1)

    def _radices(self, a: Affine, b: Affine) -> list[Affine]:
        """What the digits may be counted in: the uniform factors of what varies, and what is uniform itself, the lower
        powers first."""
        found: dict[Affine, None] = {}
        for polynomial in (a, b):
            by_digit: dict[Monomial, Affine] = {}
            for monomial, coefficient in polynomial.terms:
                digit = tuple(x for x in monomial if not self._is_uniform(Affine.of({(x,): 1})))
                rest = tuple(x for x in monomial if self._is_uniform(Affine.of({(x,): 1})))
                if not digit:
                    found[Affine.of({rest: 1})] = None
                else:
                    by_digit[digit] = by_digit.get(digit, ZERO).plus(Affine.of({rest: coefficient}))
            found.update(dict.fromkeys(by_digit.values()))
        positive = (ZERO.plus(r, -1) if all(c < 0 for _, c in r.terms) else r for r in found)
        useful = {r: None for r in positive if r not in (ZERO, ONE)}
        return sorted(useful, key=lambda r: (_degree(r), abs(r.constant()), _text(r)))

    def _by_digits(self, a: Affine, b: Affine, radix: Affine, depth: int) -> Same:
        first, second = self._digits(a, radix, 0), self._digits(b, radix, 1)
        if first is None or second is None:
            return frozenset()
        (high_a, low_a), (high_b, low_b) = first, second
        return both(self.equal(high_a, high_b, depth + 1), self.equal(low_a, low_b, depth + 1))

    def _digits(self, polynomial: Affine, radix: Affine, side: int) -> tuple[Affine, Affine] | None:
        """What is above the lowest digit, and that digit; one that is counted downwards is below zero at first."""
        split = _divided(polynomial, radix)
        if split is None:
            return None
        high, low = split
        if self._is_digit(low, radix, side):
            return high, low
        self.elements.quotients.suggest(low, radix)
        low = low.plus(radix)
        return (high.plus(ONE, -1), low) if self._is_digit(low, radix, side) else None

    def _is_digit(self, low: Affine, radix: Affine, side: int) -> bool:
        """Whether `0 <= low < radix`."""
        if self._is_remainder(low, radix):
            return True
        return self.elements.is_digit(low, radix, self.facts[side])

    def _within(self, part: Part) -> bool:
        """Whether what is divided spans no more than the divisor, but for an offset."""
        spanned = part.of.without_constant()
        return all(self._is_digit(spanned, part.by, side) for side in (0, 1))

    def _is_remainder(self, low: Affine, radix: Affine) -> bool:
        """A remainder is a digit whatever the sign of the radix: two of them are never that far apart."""
        if len(low.terms) != 1:
            return False
        ((monomial, coefficient),) = low.terms
        part = self.elements.part(monomial[0]) if len(monomial) == 1 and coefficient == 1 else None
        return part is not None and part.remainder and part.by == radix

    def closed(self, same: Same) -> Same:
        """With what follows from quotients and remainders that are equal: what they are made of, if both are, or if
        that spans no more than what it is divided by."""
        while not isinstance(same, Never):
            parts = (p for atom in same if (p := self.elements.part(atom)) is not None)
            whole = [p for p in parts if self.elements.other_part(p) in same or (p.remainder and self._within(p))]
            grown: Same = same
            for part in whole:
                grown = both(grown, self.equal(part.of, part.of, 0))
            if grown == same:
                break
            same = grown
        return same


def both(a: Same, b: Same) -> Same:
    return NEVER if isinstance(a, Never) or isinstance(b, Never) else a | b


def _degree(polynomial: Affine) -> int:
    return max((len(m) for m, _ in polynomial.terms), default=0)


def _text(polynomial: Affine) -> str:
    return str(sorted((repr(m), c) for m, c in polynomial.terms))


def _divided(polynomial: Affine, radix: Affine) -> tuple[Affine, Affine] | None:
    """Quotient and rest, as polynomials; None where that leads nowhere."""
    if not radix.without_constant().terms:
        by = radix.constant()
        whole = {m: c // by for m, c in polynomial.terms if not m or c % by == 0}
        return Affine.of(whole), polynomial.plus(Affine.of(whole), -by)
    lead, factor = max(radix.terms, key=lambda t: (len(t[0]), repr(t[0])))
    high, rest = ZERO, polynomial
    for _ in range(LARGEST):
        found = next(((m, c) for m, c in rest.terms if c % factor == 0 and _without(m, lead) is not None), None)
        if found is None:
            return high, rest
        monomial = _without(found[0], lead)
        assert monomial is not None
        step = Affine.of({monomial: found[1] // factor})
        high, rest = high.plus(step), rest.plus(step.times(radix), -1)
    return None


def _without(monomial: Monomial, factor: Monomial) -> Monomial | None:
    """The quotient of two products."""
    left = list(monomial)
    for atom in factor:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)
