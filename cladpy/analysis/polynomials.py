"""Polynomials of `affine.py` with parts of them replaced, and as expressions again."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cladpy.analysis.affine import VARYING, Affine, Atom
from cladpy.ir import core
from cladpy.ir.fold import binary, cast
from cladpy.ir.names import written_out
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import LONG
from cladpy.ir.walk import subexpressions

NOTHING = Affine(())


def constant(number: int) -> Affine:
    return Affine.of({(): number})


ONE = constant(1)


def of(atom: Atom) -> Affine:
    return Affine.of({(atom,): 1})


def replaced(polynomial: Affine, by: Mapping[Atom, Affine]) -> Affine:
    total = NOTHING
    for monomial, factor in polynomial.terms:
        product = constant(factor)
        for atom in monomial:
            product = product.times(by.get(atom, of(atom)))
        total = total.plus(product)
    return total


def coefficient(polynomial: Affine, atom: Atom) -> Affine:
    """What an atom is multiplied with."""
    found = ((list(monomial), factor) for monomial, factor in polynomial.terms if atom in monomial)
    return Affine.of({tuple(m[: m.index(atom)] + m[m.index(atom) + 1 :]): factor for m, factor in found})


def uniform(expr: core.Expr, lets: Mapping[core.Value, core.Expr], given: Collection[core.Value]) -> core.Expr | None:
    """An expression in terms of values that are `given` and of what all threads of a launch have in common; None where
    it needs more."""
    whole = written_out(expr, lets.get)
    if whole is None:
        return None
    for e in subexpressions(whole):
        match e:
            case core.Use(value) if value in given:
                pass
            case core.Builtin(var) if var not in VARYING:
                pass
            case core.Binary(BinaryOp.DIV | BinaryOp.REM, _, core.Const(divisor)) if divisor:
                pass
            case core.Binary(BinaryOp.DIV | BinaryOp.REM):  # by zero, perhaps, where no thread comes there
                return None
            case core.Use() | core.Builtin() | core.OfPointer() | core.Math():
                return None
    return whole


def expression(polynomial: Affine) -> core.Expr:
    total: core.Expr = core.Const(0, LONG)
    for monomial, factor in polynomial.terms:
        term: core.Expr = core.Const(factor, LONG)
        for atom in monomial:
            one = isinstance(term, core.Const) and term.value == 1
            term = cast(atom, LONG) if one else binary(BinaryOp.MUL, term, cast(atom, LONG), LONG)
        empty = isinstance(total, core.Const) and total.value == 0
        total = term if empty else binary(BinaryOp.ADD, total, term, LONG)
    return total
