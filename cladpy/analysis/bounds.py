"""What conditions say about integers: polynomials that are not negative where control gets to.

A condition is a fact only where its comparison is one of the integers themselves: not where a negative number that is
compared as an unsigned one would be a large one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from cladpy.analysis.affine import Affine
from cladpy.ir import core
from cladpy.ir.names import parts
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import INT, is_integer, is_signed, size_of

ONE = Affine.of({(): 1})
LARGEST_FACTOR = 1 << 22  # a hash multiplies by more, and wraps around

_NEGATED = {
    BinaryOp.LT: BinaryOp.GE,
    BinaryOp.GE: BinaryOp.LT,
    BinaryOp.GT: BinaryOp.LE,
    BinaryOp.LE: BinaryOp.GT,
    BinaryOp.EQ: BinaryOp.NE,
    BinaryOp.NE: BinaryOp.EQ,
}


@dataclass(frozen=True, slots=True)
class Facts:
    """Polynomials that are at least zero, and pairs that are equal, or are not."""

    at_least_zero: tuple[Affine, ...] = ()
    equal: tuple[tuple[Affine, Affine], ...] = ()
    unequal: tuple[tuple[Affine, Affine], ...] = ()

    def and_also(self, other: Facts) -> Facts:
        return Facts(
            (*self.at_least_zero, *other.at_least_zero),
            (*self.equal, *other.equal),
            (*self.unequal, *other.unequal),
        )


class Conditions:
    """Reads conditions; `read` gives the polynomial of an integer, `positive` says of an atom that it is never below
    zero."""

    def __init__(
        self,
        lets: Mapping[core.Value, core.Expr],
        read: Callable[[core.Expr], Affine],
        positive: Callable[[core.Expr], bool],
    ) -> None:
        self.lets = lets
        self.read = read
        self.positive = positive

    def facts(self, condition: core.Expr, holds: bool) -> Facts:
        """What follows where a condition holds, or does not."""
        found = Facts()
        for part, so in parts(condition, holds, self.lets):
            if isinstance(part, core.Binary) and part.op in _NEGATED and is_integer(part.left.type):
                found = found.and_also(self._compared(part.op if so else _NEGATED[part.op], part.left, part.right))
        return found

    def exactly(self, condition: core.Expr, holds: bool) -> tuple[Affine, ...] | None:
        """Polynomials all of which are at least zero just where a condition holds, or does not; None where there is
        more to it."""
        found: list[Affine] = []
        for part, so in parts(condition, holds, self.lets):
            known = self.facts(part, so).at_least_zero
            if not known:
                return None
            found += known
        return tuple(found)

    def _compared(self, op: BinaryOp, left: core.Expr, right: core.Expr) -> Facts:
        if size_of(left.type) < size_of(INT) or not (self.is_itself(left) and self.is_itself(right)):
            return Facts()
        a, b = self.read(left), self.read(right)
        if may_wrap(a) or may_wrap(b):
            return Facts()
        match op:
            case BinaryOp.LT:
                return Facts((b.plus(a, -1).plus(ONE, -1),))
            case BinaryOp.LE:
                return Facts((b.plus(a, -1),))
            case BinaryOp.GT:
                return Facts((a.plus(b, -1).plus(ONE, -1),))
            case BinaryOp.GE:
                return Facts((a.plus(b, -1),))
            case BinaryOp.EQ:
                return Facts((a.plus(b, -1), b.plus(a, -1)), ((a, b),))
            case BinaryOp.NE:
                return Facts(unequal=((a, b),))
            case _:
                raise AssertionError("no comparison")

    def is_itself(self, expr: core.Expr, facts: tuple[Affine, ...] = ()) -> bool:
        """Whether an expression, as the operand of a comparison, is the integer that its polynomial is where the facts
        hold: nowhere in it is a negative number taken for an unsigned one, but where what it is made of wraps around
        again."""
        unsigned = [e for e in (expr, *self._widened(expr, set())) if not is_signed(e.type)]
        seen: set[core.Value] = set()
        return all(
            is_not_negative(self.read(e), facts, self.positive) for u in unsigned for e in self._signed_within(u, seen)
        )

    def _widened(self, expr: core.Expr, seen: set[core.Value]) -> Iterator[core.Expr]:
        """The operands that are converted to a wider type; `seen` as above."""
        match expr:
            case core.Cast(operand) if is_integer(operand.type):
                if size_of(operand.type) < size_of(expr.type):
                    yield operand
                yield from self._widened(operand, seen)
            case core.Unary(_, operand):
                yield from self._widened(operand, seen)
            case core.Binary(_, left, right):
                yield from self._widened(left, seen)
                yield from self._widened(right, seen)
            case core.Use(value) if value in self.lets:
                if value not in seen:
                    seen.add(value)
                    yield from self._widened(self.lets[value], seen)
            case _:
                pass

    def _signed_within(self, expr: core.Expr, seen: set[core.Value]) -> Iterator[core.Expr]:
        """What may be negative in an unsigned integer: the signed ones that it is made of, and differences."""
        match expr:
            case core.Cast(operand) if is_integer(operand.type):
                yield from (operand,) if is_signed(operand.type) else self._signed_within(operand, seen)
            case core.Binary(BinaryOp.SUB) | core.Unary(UnaryOp.NEG):
                yield expr
            case core.Binary(_, left, right):
                yield from self._signed_within(left, seen)
                yield from self._signed_within(right, seen)
            case core.Use(value) if value in self.lets:
                if value not in seen:
                    seen.add(value)
                    yield from self._signed_within(self.lets[value], seen)
            case _:
                pass


def may_wrap(polynomial: Affine) -> bool:
    """Whether something is multiplied by so large a number that it is meant to wrap around."""
    return any(m and abs(c) > LARGEST_FACTOR for m, c in polynomial.terms)


def is_not_negative(
    polynomial: Affine, facts: tuple[Affine, ...], positive: Callable[[core.Expr], bool], most: int = 3
) -> bool:
    """Whether a polynomial is a sum of multiples of some of the facts, at most so many, and of terms that are not
    negative."""
    below = next(((m, c) for m, c in polynomial.terms if c < 0 or not all(map(positive, m))), None)
    if below is None:
        return True
    if most == 0:
        return False
    monomial, coefficient = below  # which one of the facts at least must make up for
    for fact in facts:
        here = dict(fact.terms).get(monomial, 0)
        if here * coefficient > 0:
            times = max(1, coefficient // here)
            if is_not_negative(polynomial.plus(fact, -times), facts, positive, most - 1):
                return True
    return False


def sharpened(
    facts: Facts,
    known: Callable[[tuple[Affine, ...]], tuple[Affine, ...]],
    positive: Callable[[core.Expr], bool],
) -> Facts:
    """With what is at least zero, and not zero, as at least one. `known` is what holds of some polynomials' atoms."""
    found = facts.at_least_zero
    for a, b in facts.unequal:
        for apart in (a.plus(b, -1), b.plus(a, -1)):
            every = tuple(dict.fromkeys((*known((apart, *found)), *found)))
            if is_not_negative(apart, every, positive):
                found = (*found, apart.plus(ONE, -1))
    return Facts(found, facts.equal)
