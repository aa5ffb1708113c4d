"""Choices of the larger or smaller of two numbers, however they are written: `fmax(a, b)`, `a > b ? a : b`,
`if (b > a) a = b;`, `x < 0 ? -x : x`.

Where both numbers are equal such a choice has a kink, and which of them it takes must not matter: the threads of a warp
that look for one maximum, each in its own order, would take different ones. So equal numbers share (SEMANTICS 20). A
condition may say more than which number is larger, as `valid && x > m`, or `(x > m) == ascending` in a sorting network:
then a number's share is the mean of what it gets were it a little larger, and a little smaller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cladpy import derivatives
from cladpy.ir import core
from cladpy.ir.fold import binary, cast, unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, Type, is_floating, is_half, size_of

Lets = Mapping[core.Value, core.Expr]
Pair = frozenset[core.Expr]  # of numbers that are compared

_ORDERS = {BinaryOp.LT: False, BinaryOp.LE: False, BinaryOp.GT: True, BinaryOp.GE: True}
_EQUALITIES = {BinaryOp.EQ: False, BinaryOp.NE: True}
_OPERATORS = {
    "lt": BinaryOp.LT,
    "le": BinaryOp.LE,
    "gt": BinaryOp.GT,
    "ge": BinaryOp.GE,
    "eq": BinaryOp.EQ,
    "ne": BinaryOp.NE,
}
_OF_HALVES = {f"__h{name}{u}": op for name, op in _OPERATORS.items() for u in ("", "u")}
_DEPTH = 3  # how far numbers are looked at that are differences: written out, a chain of these doubles at every step
_LONGEST = 100  # operations of a condition that are written out
_WIDENING = frozenset({"__half2float", "__bfloat162float"})


@dataclass(frozen=True, slots=True)
class Choice:
    """`condition` says whether the first number is taken, `above` and `below` whether it would be, were it a little
    larger or smaller than the second, which it is equal to."""

    first: core.Expr
    second: core.Expr
    condition: core.Expr
    above: core.Expr
    below: core.Expr

    @property
    def is_simple(self) -> bool:
        """Whether equal numbers have equal shares whatever else holds."""
        return isinstance(self.above, core.Const) and isinstance(self.below, core.Const)


@dataclass(frozen=True, slots=True)
class Side:
    """Of two numbers that a branch compares, what it takes them for where they are equal: the first is the larger, or
    the smaller."""

    first: core.Expr
    second: core.Expr
    first_is_larger: bool

    @property
    def pair(self) -> Pair:
        return frozenset((self.first, self.second))

    def is_larger(self, number: core.Expr, lets: Lets) -> bool:
        """Whether one of the two is taken for the larger."""
        return (_plain(number, lets) == self.first) == self.first_is_larger


def extremum(expr: core.Expr) -> derivatives.Extremum | None:
    """Whether an expression is a library function's larger or smaller of two numbers."""
    if not isinstance(expr, core.Math) or not is_floating(expr.type):
        return None
    rule = derivatives.lookup(expr.callee.qualified_name, len(expr.arguments))
    return None if rule is None else rule.extremum


def choice(condition: core.Expr, then: core.Expr, other: core.Expr, lets: Lets) -> Choice | None:
    """What `condition ? then : other` takes, if that is the larger or smaller of both."""
    if not is_floating(then.type) or isinstance(then, core.Const) or isinstance(other, core.Const):
        return None
    above = _Decided(then, other, True, lets).condition(condition)
    below = _Decided(then, other, False, lets).condition(condition)
    if above is None or below is None:
        return None
    if above == below:
        return None  # it does not ask which is larger
    return Choice(then, other, condition, above, below)


def compared(condition: core.Expr, lets: Lets) -> Iterator[core.Expr]:
    """The numbers that a condition compares."""
    for left, _, right in _comparisons(condition, lets, set()):
        yield left
        yield right


def same(first: core.Expr, second: core.Expr, lets: Lets) -> bool:
    """Whether two numbers are computed alike, of the same."""
    return first.type == second.type and _plain(first, lets) == _plain(second, lets)


def resolved(condition: core.Expr, lets: Lets) -> core.Expr:
    """A condition without the names of what it is made of, and without negations around it."""
    while True:
        match condition:
            case core.Use(value) if value in lets and not is_floating(value.type):
                condition = lets[value]
            case core.Unary(UnaryOp.NOT, operand) | core.Cast(operand, _) if not is_floating(operand.type):
                condition = operand
            case _:
                return condition


def pair(first: core.Expr, second: core.Expr, lets: Lets) -> Pair:
    return frozenset((_plain(first, lets), _plain(second, lets)))


def side(condition: core.Expr, lets: Lets) -> Side | None:
    """The side that a branch takes where the two numbers are equal that its condition compares; None where it asks for
    more, or for equality."""
    found = _comparison(resolved(condition, lets))
    if found is None or found[1] not in _ORDERS:
        return None
    left, op, right = found
    strict = op in (BinaryOp.LT, BinaryOp.GT)
    return Side(_plain(left, lets), _plain(right, lets), _ORDERS[op] != strict)


def _comparison(expr: core.Expr) -> tuple[core.Expr, BinaryOp, core.Expr] | None:
    match expr:
        case core.Binary(op, left, right) if op in _ORDERS or op in _EQUALITIES:
            return (left, op, right) if is_floating(left.type) else None
        case core.Math(callee, (left, right)) if callee.name in _OF_HALVES:
            return left, _OF_HALVES[callee.name], right
        case _:
            return None


def _comparisons(expr: core.Expr, lets: Lets, seen: set[core.Value]) -> Iterator[tuple[core.Expr, BinaryOp, core.Expr]]:
    """Those that an expression is made of; `seen` has the values that have been looked at, which are shared by many."""
    found = _comparison(expr)
    if found is not None:
        yield found
        return
    match expr:
        case core.Use(value) if value in lets and not is_floating(value.type):
            if value not in seen:
                seen.add(value)
                yield from _comparisons(lets[value], lets, seen)
        case core.Unary(_, operand) | core.Cast(operand) if not is_floating(operand.type):
            yield from _comparisons(operand, lets, seen)
        case core.Binary(_, left, right) if not is_floating(left.type):
            yield from _comparisons(left, lets, seen)
            yield from _comparisons(right, lets, seen)
        case _:
            pass


class _TooLongError(Exception):
    """A condition has more operations than are written out."""


class _Decided:
    """Conditions where the first number is larger than the second, or smaller."""

    def __init__(self, first: core.Expr, second: core.Expr, larger: bool, lets: Lets) -> None:
        self._first, self._second, self._larger, self._lets = first, second, larger, lets
        self._known: dict[core.Value, tuple[core.Expr, int]] = {}  # a value is a part of many others

    def condition(self, expr: core.Expr) -> core.Expr | None:
        """What is left of a condition; None where that is long, as flags that are computed of flags in a chain are
        once they are written out."""
        try:
            return self._of(expr)[0]
        except _TooLongError:
            return None

    def _of(self, expr: core.Expr) -> tuple[core.Expr, int]:
        """The same object if it does not ask for the order of both; and how many operations that are new to it."""
        compared = _comparison(expr)
        if compared is not None:
            return self._of_comparison(expr, compared), 0
        match expr:
            case core.Use(value) if value in self._lets and not is_floating(value.type):
                if value not in self._known:
                    inside, size = self._of(self._lets[value])
                    self._known[value] = (expr, 0) if inside is self._lets[value] else (inside, size)
                return self._known[value]
            case core.Unary(sign, operand, type) if not is_floating(operand.type):
                inside, size = self._of(operand)
                return (expr, 0) if inside is operand else (unary(sign, inside, type), size + 1)
            case core.Cast(operand, type) if not is_floating(operand.type):
                inside, size = self._of(operand)
                return (expr, 0) if inside is operand else (cast(inside, type), size + 1)
            case core.Binary(op, left, right, type) if not is_floating(left.type):
                (a, more), (b, further) = self._of(left), self._of(right)
                size = more + further + 1
                if a is left and b is right:
                    return expr, 0
                if size > _LONGEST:
                    raise _TooLongError
                return _compared_flags(op, a, b) or binary(op, a, b, type), size
            case _:
                return expr, 0

    def _of_comparison(self, expr: core.Expr, compared: tuple[core.Expr, BinaryOp, core.Expr]) -> core.Expr:
        order = _order(compared, self._first, self._second, self._lets)
        if order is None:
            return expr
        op = compared[1]
        if op in _EQUALITIES:
            return core.Const(_EQUALITIES[op], BOOL)
        return core.Const(_ORDERS[op] == (order == self._larger), BOOL)


def _compared_flags(op: BinaryOp, left: core.Expr, right: core.Expr) -> core.Expr | None:
    """`known == flag`, as the flag or its opposite."""
    if op not in _EQUALITIES:
        return None
    for known, flag in ((left, right), (right, left)):
        if isinstance(known, core.Const) and known.value in (0, 1) and flag.type == BOOL:
            same = bool(known.value) != _EQUALITIES[op]
            return flag if same else unary(UnaryOp.NOT, flag, BOOL)
    return None


def _order(
    compared: tuple[core.Expr, BinaryOp, core.Expr], first: core.Expr, second: core.Expr, lets: Lets
) -> bool | None:
    """Whether a comparison is that of the first number with the second, or (False) of the second with the first."""
    left, _, right = compared
    a, b, x, y = (_plain(e, lets) for e in (first, second, left, right))
    if (x, y) == (a, b):
        return True
    if (x, y) == (b, a):
        return False
    if _is_difference(a, x, y) and _is_difference(b, y, x):  # x < y ? y - x : x - y
        return True
    if _is_difference(a, y, x) and _is_difference(b, x, y):
        return False
    if not _are_opposite(a, b):
        return None
    for number, zero, is_left in ((x, y, True), (y, x, False)):  # x < 0 ? -x : x
        if isinstance(zero, core.Const) and not zero.value and number in (a, b):
            return (number == a) == is_left
    return None


def _is_difference(number: core.Expr, left: core.Expr, right: core.Expr) -> bool:
    return (
        isinstance(number, core.Binary) and number.op is BinaryOp.SUB and (number.left, number.right) == (left, right)
    )


def _are_opposite(a: core.Expr, b: core.Expr) -> bool:
    return any(isinstance(e, core.Unary) and e.op is UnaryOp.NEG and e.operand == o for e, o in ((a, b), (b, a)))


def _plain(expr: core.Expr, lets: Lets, depth: int = _DEPTH) -> core.Expr:
    """A number by what it is computed of, without conversions that keep it; differences of differences so far."""
    match expr:
        case core.Use(value) if value in lets and not isinstance(core.primal(lets[value]), core.Select | core.Formula):
            return _plain(core.primal(lets[value]), lets, depth)
        case core.Cast(operand, type) if is_floating(operand.type) and _is_wider(type, operand.type):
            return _plain(operand, lets, depth)
        case core.Math(callee, (operand,)) if callee.name in _WIDENING:
            return _plain(operand, lets, depth)
        case core.Unary(UnaryOp.NEG, operand, type) if depth:
            return core.Unary(UnaryOp.NEG, _plain(operand, lets, depth - 1), type)
        case core.Binary(BinaryOp.SUB as op, left, right, type) if depth:
            return core.Binary(op, _plain(left, lets, depth - 1), _plain(right, lets, depth - 1), type)
        case core.Const(value) if is_floating(expr.type) or not value:
            return core.Const(float(value), expr.type) if value else core.Const(0.0, BOOL)
        case _:
            return expr


def _is_wider(type: Type, operand: Type) -> bool:
    return is_floating(type) and (is_half(operand) or size_of(type) >= size_of(operand)) and not is_half(type)
