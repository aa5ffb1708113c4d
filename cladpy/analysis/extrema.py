"""Choices of the larger or smaller of two numbers, however they are written: `fmax(a, b)`, `a > b ? a : b`,
`if (b > a) a = b;`, `x < 0 ? -x : x`.

Where both numbers are equal such a choice has a kink, and which of them it takes must not matter: the threads of a warp
that look for one maximum, each in its own order, would take different ones. So equal numbers share (SEMANTICS 20). A
condition may say more than which number is larger, as `valid && x > m`, or `(x > m) == ascending` in a sorting network:
then a number's share is the mean of what it gets were it a little larger, and a little smaller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ctypes import c_float
from dataclasses import dataclass, field

from cladpy import derivatives
from cladpy.ir import core
from cladpy.ir.fold import binary, cast, unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, DOUBLE, FLOAT, Type, is_floating, is_half, size_of
from cladpy.ir.walk import substitute

Lets = Mapping[core.Value, core.Expr]
Ordered = tuple[core.Expr, core.Expr]  # two numbers that are compared, by what they are computed of

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
_TO_HALVES = frozenset(f"__{of}2{half}" for of in ("float", "double") for half in ("half", "bfloat16"))
_ZERO = core.Const(0.0, DOUBLE)


@dataclass(frozen=True, slots=True)
class Names:
    """What the names in conditions stand for: `lets` what values are computed of, `first` for values that are computed
    alike the first of these, `flags` what branches leave in a condition. These may have been computed in another
    branch, so that they are looked at, and never made a part of what is emitted."""

    lets: Lets
    first: Mapping[core.Value, core.Expr] = field(default_factory=dict)
    flags: Lets = field(default_factory=dict)


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

    numbers: Ordered
    first_is_larger: bool

    @property
    def pair(self) -> frozenset[core.Expr]:
        return frozenset(self.numbers)

    def is_larger(self, numbers: Ordered) -> bool:
        """Whether of the two, in this order, the first is taken for the larger."""
        return (numbers == self.numbers) == self.first_is_larger


def extremum(expr: core.Expr) -> derivatives.Extremum | None:
    """Whether an expression is a library function's larger or smaller of two numbers."""
    if not isinstance(expr, core.Math) or not is_floating(expr.type):
        return None
    rule = derivatives.lookup(expr.callee.qualified_name, len(expr.arguments))
    return None if rule is None else rule.extremum


def choice(condition: core.Expr, then: core.Expr, other: core.Expr, names: Names) -> Choice | None:
    """What `condition ? then : other` takes, if that is the larger or smaller of both."""
    if not is_floating(then.type) or isinstance(then, core.Const) or isinstance(other, core.Const):
        return None
    above = outcome(condition, then, other, True, names)
    below = outcome(condition, then, other, False, names)
    if above is None or below is None:
        return None
    if above == below:
        return None  # it does not ask which is larger
    return Choice(then, other, condition, above, below)


def outcome(condition: core.Expr, first: core.Expr, second: core.Expr, larger: bool, names: Names) -> core.Expr | None:
    """What a condition comes to where the first number is larger than the second, or smaller."""
    return _Decided(first, second, larger, names).condition(condition)


def compared(condition: core.Expr, names: Names) -> Iterator[core.Expr]:
    """The numbers that a condition compares."""
    for left, _, right in _comparisons(condition, names, set()):
        yield left
        yield right


def same(first: core.Expr, second: core.Expr, names: Names) -> bool:
    """Whether two numbers are computed alike, of the same."""
    return first.type == second.type and plain(first, names) == plain(second, names)


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


def sides(condition: core.Expr, names: Names) -> Iterator[Side]:
    """The sides that a branch takes where two numbers are equal that its condition compares, whatever else that asks
    for; none where it asks for their equality."""
    found: dict[frozenset[core.Expr], Side | None] = {}
    for left, op, right in _comparisons(condition, names, set()):
        numbers = ordered(left, right, names)
        strict = op in (BinaryOp.LT, BinaryOp.GT)
        here = Side(numbers, _ORDERS[op] != strict) if op in _ORDERS else None
        if here is None or found.setdefault(here.pair, here) is None:
            found[frozenset(numbers)] = None
        elif (there := found[here.pair]) is not None and there.is_larger(numbers) != here.first_is_larger:
            found[here.pair] = None  # one that holds, and one that does not: it asks for equality
    yield from (s for s in found.values() if s is not None and len(s.pair) == 2)


def ordered(first: core.Expr, second: core.Expr, names: Names) -> Ordered:
    """Two numbers of which the first is larger where the first given is: those that the comparison is of in the end, as
    `a` and `b` for `a - b` and 0."""
    a, b = plain(first, names), plain(second, names)
    while True:
        match a, b:
            case core.Unary(UnaryOp.NEG, x), y if x == y:  # x < 0 ? -x : x
                a, b = _ZERO, y
            case x, core.Unary(UnaryOp.NEG, y) if x == y:
                a, b = x, _ZERO
            case core.Unary(UnaryOp.NEG, x), core.Unary(UnaryOp.NEG, y):
                a, b = y, x
            case core.Unary(UnaryOp.NEG, x), y if y == _ZERO:
                a, b = _ZERO, x
            case x, core.Unary(UnaryOp.NEG, y) if x == _ZERO:
                a, b = y, _ZERO
            case core.Binary(BinaryOp.SUB, x, y), core.Binary(BinaryOp.SUB, v, w) if (x, y) == (w, v):
                a, b = x, y  # x < y ? y - x : x - y
            case core.Binary(BinaryOp.SUB, x, y), z if z == _ZERO:
                a, b = x, y
            case z, core.Binary(BinaryOp.SUB, x, y) if z == _ZERO:
                a, b = y, x
            case _:
                return a, b


def comparison(expr: core.Expr) -> tuple[core.Expr, BinaryOp, core.Expr] | None:
    """The two floating-point numbers that an expression compares."""
    match expr:
        case core.Binary(op, left, right) if op in _ORDERS or op in _EQUALITIES:
            return (left, op, right) if is_floating(left.type) else None
        case core.Math(callee, (left, right)) if callee.name in _OF_HALVES:
            return left, _OF_HALVES[callee.name], right
        case _:
            return None


def _comparisons(
    expr: core.Expr, names: Names, seen: set[core.Value]
) -> Iterator[tuple[core.Expr, BinaryOp, core.Expr]]:
    """Those that an expression is made of; `seen` has the values that have been looked at, which are shared by many."""
    found = comparison(expr)
    if found is not None:
        yield found
        return
    match expr:
        case core.Use(value) if not is_floating(value.type):
            meant = names.lets.get(value) or names.flags.get(value)
            if meant is not None and value not in seen:
                seen.add(value)
                yield from _comparisons(meant, names, seen)
        case core.Unary(_, operand) | core.Cast(operand) if not is_floating(operand.type):
            yield from _comparisons(operand, names, seen)
        case core.Binary(_, left, right) if not is_floating(left.type):
            yield from _comparisons(left, names, seen)
            yield from _comparisons(right, names, seen)
        case core.Select(condition, then, other, type) if not is_floating(type):
            for part in (condition, then, other):
                yield from _comparisons(part, names, seen)
        case _:
            pass


class _TooLongError(Exception):
    """A condition has more operations than are written out."""


class _Decided:
    """Conditions where the first number is larger than the second, or smaller."""

    def __init__(self, first: core.Expr, second: core.Expr, larger: bool, names: Names) -> None:
        self._numbers, self._larger, self._names = ordered(first, second, names), larger, names
        self._lets = names.lets
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
        compared = comparison(expr)
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
                return binary(op, a, b, type), size
            case _:
                return expr, 0

    def _of_comparison(self, expr: core.Expr, compared: tuple[core.Expr, BinaryOp, core.Expr]) -> core.Expr:
        left, op, right = compared
        numbers = ordered(left, right, self._names)
        if numbers not in (self._numbers, self._numbers[::-1]):
            return expr
        order = numbers == self._numbers
        if op in _EQUALITIES:
            return core.Const(_EQUALITIES[op], BOOL)
        return core.Const(_ORDERS[op] == (order == self._larger), BOOL)


def plain(expr: core.Expr, names: Names, depth: int = _DEPTH) -> core.Expr:
    """A number by what it is computed of, without conversions that keep it; differences of differences so far."""
    lets = names.lets
    match expr:
        case core.Use(value) if value in names.first:
            return plain(names.first[value], names, depth)
        case core.Use(value) if value in lets and not isinstance(core.primal(lets[value]), core.Select | core.Formula):
            return plain(core.primal(lets[value]), names, depth)
        case core.Cast(operand, type) if is_floating(operand.type) and _is_wider(type, operand.type):
            return plain(operand, names, depth)
        case core.Math(callee, (operand,)) if callee.name in _WIDENING:
            return plain(operand, names, depth)
        case core.Cast(core.Const() as known) | core.Math(_, (core.Const() as known,)) if _is_exact(expr, known):
            return plain(known, names)
        case core.Unary(UnaryOp.NEG, operand, type) if depth:
            return core.Unary(UnaryOp.NEG, plain(operand, names, depth - 1), type)
        case core.Binary(BinaryOp.SUB as op, left, right, type) if depth:
            return core.Binary(op, plain(left, names, depth - 1), plain(right, names, depth - 1), type)
        case core.Const(value, type):
            number = c_float(value).value if type == FLOAT else float(value)
            return core.Const(number or 0.0, DOUBLE)  # one zero
        case _:
            return substitute(expr, names.first)


def _is_exact(expr: core.Cast | core.Math, known: core.Const) -> bool:
    """Whether a conversion gives the very number."""
    converts = isinstance(expr, core.Cast) or expr.callee.name in _TO_HALVES
    return converts and is_floating(expr.type) and abs(known.value) <= 64 and not 4 * known.value % 1


def _is_wider(type: Type, operand: Type) -> bool:
    return is_floating(type) and (is_half(operand) or size_of(type) >= size_of(operand)) and not is_half(type)
