"""Index expressions as integer polynomials over what they cannot be taken apart into.

Two indices with the same polynomial are equal wherever neither wraps around, which valid subscripts do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cladpy.ir import core
from cladpy.ir.surface import BinaryOp, BuiltinVar, UnaryOp
from cladpy.ir.types import BOOL, INT, Type, is_integer, size_of
from cladpy.ir.walk import subexpressions, values

Atom = core.Expr
Monomial = tuple[Atom, ...]  # sorted by text, for one form per product

LARGEST = 32  # terms; beyond this an expression is an atom
HIGHEST = 8  # degree: that of squares of squares doubles at every step


@dataclass(frozen=True, slots=True)
class Affine:
    """The sum of `terms`: coefficients by products of atoms; the empty product is the constant. Their order, which says
    nothing, is that in which they were met, so that what is made of them one by one is the same in every run."""

    terms: tuple[tuple[Monomial, int], ...] = field(compare=False)
    every: frozenset[tuple[Monomial, int]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "every", frozenset(self.terms))

    @staticmethod
    def of(terms: Mapping[Monomial, int]) -> Affine:
        return Affine(tuple((m, c) for m, c in terms.items() if c))

    def plus(self, other: Affine, factor: int = 1) -> Affine:
        sums = dict(self.terms)
        for m, c in other.terms:
            sums[m] = sums.get(m, 0) + factor * c
        return Affine.of(sums)

    def times(self, other: Affine) -> Affine:
        products: dict[Monomial, int] = {}
        for a, x in self.terms:
            for b, y in other.terms:
                m = tuple(sorted((*a, *b), key=_order))
                products[m] = products.get(m, 0) + x * y
        return Affine.of(products)

    def degree(self) -> int:
        return max((len(m) for m, _ in self.terms), default=0)

    def constant(self) -> int:
        return dict(self.terms).get((), 0)

    def without_constant(self) -> Affine:
        return Affine(tuple((m, c) for m, c in self.terms if m))

    def symbols(self) -> set[core.Value]:
        return {v for m, _ in self.terms for atom in m for v in values(atom)}

    def substitute(self, given: Mapping[core.Value, Affine | None]) -> Affine | None:
        """With values replaced by polynomials; None where that is not possible."""
        total = Affine(())
        for monomial, coefficient in self.terms:
            product = Affine.of({(): coefficient})
            for atom in monomial:
                known = given.get(atom.value) if isinstance(atom, core.Use) else None
                if known is not None:
                    replacement = known
                elif any(v in given for v in values(atom)):
                    return None
                else:
                    replacement = Affine.of({(atom,): 1})
                product = product.times(replacement)
            total = total.plus(product)
        return total


def _order(atom: Atom) -> str:
    match atom:
        case core.Builtin(var):
            return "0" + var.value
        case core.Use(value):
            return f"1{value.name} {value.number:09}"
        case _:
            return f"2{atom!r}{[v.number for v in values(atom)]}"


def affine(expr: core.Expr, lets: Mapping[core.Value, core.Expr]) -> Affine:
    """The polynomial of an integer expression. Names bound by a Let are expanded."""
    return _Reader(lets).read(expr)


class _Reader:
    def __init__(self, lets: Mapping[core.Value, core.Expr]) -> None:
        self.lets = lets
        self.done: dict[core.Value, Affine] = {}

    def read(self, expr: core.Expr) -> Affine:
        found = self._read(expr)
        return found if len(found.terms) <= LARGEST else Affine.of({(expr,): 1})

    def _read(self, expr: core.Expr) -> Affine:
        match expr:
            case core.Const(value) if not isinstance(value, float):
                return Affine.of({(): int(value)})
            case core.Use(value) if value in self.lets and is_integer(value.type) and value.type != BOOL:
                if value not in self.done:
                    self.done[value] = self.read(self.lets[value])
                return self.done[value]
            case core.Cast(operand, type) if _keeps_value(operand.type, type):
                return self.read(operand)
            case core.Unary(UnaryOp.NEG, operand):
                return Affine.of({}).plus(self.read(operand), -1)
            case core.Binary(BinaryOp.ADD, left, right):
                return self.read(left).plus(self.read(right))
            case core.Binary(BinaryOp.SUB, left, right):
                return self.read(left).plus(self.read(right), -1)
            case core.Binary(BinaryOp.MUL, left, right):
                a, b = self.read(left), self.read(right)
                return a.times(b) if a.degree() + b.degree() <= HIGHEST else Affine.of({(expr,): 1})
            case core.Nested(outer, inner, length) if length is not None:
                # valid steps stay inside of their array: the polynomials are equal where the steps are
                return self.read(outer).times(Affine.of({(): length})).plus(self.read(inner))
            case core.Nested(core.Const(), inner, None):
                return self.read(inner)
            case _:
                return Affine.of({(expr,): 1})


def differ(a: Affine, b: Affine) -> bool:
    """Whether two indices are different numbers, whatever the values that they are made of are."""
    difference = a.plus(b, -1)
    return bool(difference.terms) and not difference.without_constant().terms


def led_by(index: core.Expr) -> tuple[core.Expr, ...]:
    """The elements that hold the pointers which lead to an element: polynomials leave them out where they are constant,
    and only behind the same pointer are different indices different elements."""
    return tuple(e.outer for e in subexpressions(index) if isinstance(e, core.Nested) and e.length is None)


def _keeps_value(before: Type, after: Type) -> bool:
    """Between integers of 32 bits or more; what wraps there is no valid subscript."""
    return (
        is_integer(before) and is_integer(after) and before != BOOL and after != BOOL and size_of(after) >= size_of(INT)
    )


VARYING = frozenset(
    {
        BuiltinVar.THREAD_X,
        BuiltinVar.THREAD_Y,
        BuiltinVar.THREAD_Z,
        BuiltinVar.BLOCK_X,
        BuiltinVar.BLOCK_Y,
        BuiltinVar.BLOCK_Z,
    }
)
