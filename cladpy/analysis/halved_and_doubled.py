"""What a loop halves while it doubles something else: their product stays below what it was at first.

Sums over pairs, then pairs of pairs, go through memory so: `for (s = n / 2, d = 1; s > 0; s >>= 1, d <<= 1)` with an
element for each thread below `s`, at a multiple of `d`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from cladpy.analysis.affine import Affine
from cladpy.analysis.bounds import Facts
from cladpy.analysis.loops import Induction, loop_facts
from cladpy.analysis.shifts import is_not_negative, is_positive
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp


@dataclass(frozen=True, slots=True)
class Shifts:
    """`lowest` are values that are shifted, with what they are never below; each of `pairs` is shifted by as much, to
    the right and to the left, and `largest` is the product of the two at first."""

    lowest: Mapping[core.Value, Affine]
    pairs: tuple[tuple[core.Value, core.Value, Affine], ...]

    def facts(self) -> Facts:
        found = [_of(value).plus(least, -1) for value, least in self.lowest.items()]
        found += [largest.plus(_of(a).times(_of(b)), -1) for a, b, largest in self.pairs]
        return Facts(tuple(found))

    def products(self, facts: tuple[Affine, ...]) -> Iterator[Affine]:
        """Of facts about one of a pair with the other, which is not below zero."""
        for a, b, _ in self.pairs:
            for value, factor in ((a, b), (b, a)):
                for fact in facts:
                    if fact.degree() == 1 and value in fact.symbols() and factor not in fact.symbols():
                        yield fact.times(_of(factor))


def shifts(loop: core.Loop, lets: Mapping[core.Value, core.Expr], read: Callable[[core.Expr], Affine]) -> Shifts:
    """Of what a loop carries; `read` gives the polynomial of an integer."""
    found = {v: i for v, i in loop_facts(loop, lets).inductions.items() if i.op is not BinaryOp.ADD}
    lowest = {
        value: read(i.init) if i.op is BinaryOp.SHL else Affine.of({})
        for value, i in found.items()
        if (is_positive if i.op is BinaryOp.SHL else is_not_negative)(i.init, lets)
    }
    pairs = tuple(
        (a, b, read(found[a].init).times(read(found[b].init)))
        for a in lowest
        for b in lowest
        if _are_opposite(found[a], found[b])
    )
    return Shifts(lowest, pairs)


def _are_opposite(a: Induction, b: Induction) -> bool:
    return a.op is BinaryOp.SHR and b.op is BinaryOp.SHL and a.step == b.step


def _of(value: core.Value) -> Affine:
    return Affine.of({(core.Use(value),): 1})
