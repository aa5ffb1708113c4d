"""Quotients by numbers, of what is not negative: which warp a thread is in, and what that says of how many there are.

Of `(blockIdx.x * blockDim.x + threadIdx.x) / 32` the blocks come to the front where they are made of whole warps, so
that what is left is divided by itself: `blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32`. And since a thread's index
is less than the block's extent, its warp's is less than the number of warps, if that is rounded up or nothing is left
over (`elements.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cladpy.analysis.affine import Affine, Monomial
from cladpy.analysis.bounds import ONE, is_not_negative
from cladpy.analysis.comparison import ZERO, Part
from cladpy.analysis.dimensions import THREADS, Narrow, Premise, Whole
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import UINT

EXTENTS = frozenset(THREADS.values())


@dataclass(frozen=True, slots=True)
class Quotients:
    """`assumed` is what is asked of a launch, `suggested` what would lead to more if it were; `part` gives the atom for
    a quotient, `known` what holds of the atoms of some polynomials, `positive` says of one that it is never below zero.
    """

    assumed: tuple[Premise, ...]
    suggested: set[Premise]
    part: Callable[[Affine, Affine], core.Expr]
    known: Callable[[Iterable[Affine]], tuple[Affine, ...]]
    positive: Callable[[core.Expr], bool]

    def divided(self, of: Affine, by: Affine) -> tuple[Affine, Affine]:
        """What is divided as `whole * by + rest`, both not negative."""
        size = _number(by)
        if size is None:
            return ZERO, of
        whole, rest = ZERO, ZERO
        for monomial, coefficient in of.terms:
            extent = self._whole(monomial, coefficient, size)
            if extent is not None:
                others = list(monomial)
                others.remove(extent)
                quotient = self.part(Affine.of({(extent,): 1}), by)
                whole = whole.plus(Affine.of({(*others, quotient): coefficient}))
            elif monomial and coefficient % size:
                rest = rest.plus(Affine.of({monomial: coefficient}))
            else:
                whole = whole.plus(Affine.of({monomial: coefficient // size}))
                rest = rest.plus(Affine.of({monomial: coefficient % size}))
        return (whole, rest) if all(is_not_negative(p, (), self.positive) for p in (whole, rest)) else (ZERO, of)

    def _whole(self, monomial: Monomial, coefficient: int, size: int) -> core.Expr | None:
        """The extent of a block among some factors that is a multiple of a size."""
        if coefficient % size == 0:
            return None
        extents = [a for a in monomial if isinstance(a, core.Builtin) and a.var in EXTENTS]
        for atom in extents:
            if any(isinstance(p, Whole) and p.extent is atom.var and p.size % size == 0 for p in self.assumed):
                return atom
            self.suggested.add(Whole(atom.var, size))
        return None

    def facts(self, atoms: Mapping[core.Expr, Part]) -> Iterator[Affine]:
        """What holds of quotients, and of two by one number: of what is larger by that number the quotient is larger,
        and of a multiple of it that is larger at all."""
        by_number = [(atom, part, size) for atom, part in atoms.items() if (size := _number(part.by)) is not None]
        for atom, part, size in by_number:
            quotient = Affine.of({(atom,): 1})
            rest = part.of.plus(quotient, -size)
            yield rest
            yield Affine.of({(): 0 if self._is_multiple(part.of, size) else size - 1}).plus(rest, -1)
            for other, larger, _ in by_number:
                if other is atom or larger.by != part.by:
                    continue
                gap = larger.of.plus(part.of, -1).plus(ONE, -1 if self._is_multiple(larger.of, size) else -size)
                if is_not_negative(gap, self.known((gap,)), self.positive):
                    yield Affine.of({(other,): 1}).plus(quotient, -1).plus(ONE, -1)

    def _is_multiple(self, polynomial: Affine, size: int) -> bool:
        return any(
            isinstance(p, Whole)
            and p.size % size == 0
            and polynomial == Affine.of({(core.Builtin(p.extent, UINT),): 1})
            for p in self.assumed
        )

    def of_signed(self, facts: tuple[Affine, ...], read: Callable[[core.Expr], Affine]) -> Iterator[Affine]:
        """Of quotients of what may be negative, those that the facts say are at least one: there is that much to
        divide."""
        for atom in dict.fromkeys(a for p in facts for monomial, _ in p.terms for a in monomial):
            if not isinstance(atom, core.Binary) or atom.op is not BinaryOp.DIV:
                continue
            quotient, size = Affine.of({(atom,): 1}), _number(read(atom.right))
            if size is not None and is_not_negative(quotient.plus(ONE, -1), facts, self.positive):
                yield read(atom.left).plus(quotient, -size)

    def suggest(self, low: Affine, radix: Affine) -> None:
        """If blocks were narrow enough, what is made of a thread's index might be a digit."""
        size, offset = _number(radix), low.constant()
        match low.without_constant().terms:
            case (((core.Builtin(var),), factor),) if var in THREADS and size is not None and factor > 0 <= offset:
                most = (size - 1 - offset) // factor + 1
                if most > 1:
                    self.suggested.add(Narrow(THREADS[var], most))
            case _:
                pass


def _number(polynomial: Affine) -> int | None:
    """A positive number that a polynomial is."""
    number = polynomial.constant()
    return number if number > 0 and not polynomial.without_constant().terms else None
