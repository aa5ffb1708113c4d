"""Maxima that lanes pass around: each lane carries how many equal numbers its own stands for.

In a butterfly, `m = fmax(m, __shfl_xor_sync(mask, m, k))`, both lanes of a pair choose among the same two numbers, and
halves are right. Where lanes ask each other around a circle, `m = fmax(m, __shfl_sync(mask, m, (lane + k) % 32))`, each
lane comes to the numbers in another order, and halves of halves would be other parts for each. So the count of equal
numbers goes with the maximum, from lane to lane, and equal numbers share by their counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from cladpy import known
from cladpy.adjoint.ties import is_shared
from cladpy.analysis.activity import Activity
from cladpy.analysis.extrema import extremum
from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, is_half
from cladpy.ir.walk import statements, with_regions

_PARTS = ("cladpy::part<T>(x, y, z, w, r)", "cladpy::part<T>(!(x), z, y, r, w)")


def with_counts(function: core.Function, activity: Activity) -> core.Function:
    """The function with the counts that its maxima need; the function itself where none does."""
    writer = _Writer(function, activity)
    body = writer.region(function.body)
    return replace(function, body=body) if writer.found else function


def _one_after_the_other(statement: core.Collective) -> bool:
    row = known.collective(statement.callee.name)
    return row.gives is known.Gives.NUMBER and not row.mutual


class _Writer:
    def __init__(self, function: core.Function, activity: Activity) -> None:
        self.activity = activity
        self.found = False
        self.counts: dict[core.Value, core.Expr] = {}
        self.here: frozenset[core.Statement] = frozenset()  # the region that is being written
        self.moved = {
            s.value: s
            for s in statements(function.body)
            if isinstance(s, core.Collective) and s.value is not None and _one_after_the_other(s)
        }

    def region(self, region: core.Region) -> core.Region:
        out: list[core.Statement] = []
        outside, self.here = self.here, frozenset(region)
        for s in region:
            match s:
                case core.Let(value, expr) if value in self.activity.values and not is_half(value.type):
                    out += self._let(s, expr)
                case core.Loop():
                    out.append(self._loop(s))
                case _:
                    out.append(with_regions(s, self.region))
        self.here = outside
        return tuple(out)

    def _loop(self, loop: core.Loop) -> core.Loop:
        inner = {s.value: s.expr for s in loop.body if isinstance(s, core.Let)}
        added: list[tuple[core.Carried, core.Value, core.Value]] = []
        for c in loop.carried:
            if isinstance(c.next, core.Use) and c.next.value in inner and not is_half(c.value.type):
                both = _numbers(inner[c.next.value])
                active = both is not None and self.activity.values.issuperset((*both, c.next.value))
                if (
                    active
                    and both is not None
                    and c.value in both
                    and any(self._comes_of(v, c.value, loop.body) for v in both)
                ):
                    count, result = (core.Value("equal", c.value.type) for _ in range(2))
                    self.counts[c.value] = core.Use(count)
                    added.append((c, count, result))
        body = self.region(loop.body)
        carried = list(loop.carried)
        for c, count, result in added:
            assert isinstance(c.next, core.Use)
            start = self.counts.get(c.init.value) if isinstance(c.init, core.Use) else None
            one = core.Const(1.0, count.type)
            carried.append(core.Carried(count, start or one, self.counts[c.next.value], result))
            self.counts[c.result] = core.Use(result)
        return replace(loop, carried=tuple(carried), body=body)

    def _comes_of(self, value: core.Value, other: core.Value, here: Collection[core.Statement]) -> bool:
        """Whether one number is another lane's of the other, and all lanes that have asked for it are here: in a branch
        behind, as of a scan, a count could not be asked for."""
        moved = self.moved.get(value)
        return moved is not None and moved in here and moved.operands[0] == core.Use(other)

    def _let(self, statement: core.Let, expr: core.Expr) -> Iterator[core.Statement]:
        both = _numbers(expr)
        if both is None or not self.activity.values.issuperset(both):
            yield statement
            return
        first, second = both
        circular = self._comes_of(first, second, self.here) or self._comes_of(second, first, self.here)
        if not circular and not (first in self.counts and second in self.counts):
            yield statement
            return
        one = core.Const(1.0, first.type)
        counts: list[core.Expr] = []
        for number, other in ((first, second), (second, first)):
            if self._comes_of(number, other, self.here):
                moved = self.moved[number]
                count = core.Value("equal", number.type)
                yield replace(moved, value=count, operands=(self.counts.get(other, one), *moved.operands[1:]))
                counts.append(core.Use(count))
            else:
                counts.append(self.counts.get(number, one))
        yield from self._counted(statement, expr, both, (counts[0], counts[1]))

    def _counted(
        self,
        statement: core.Let,
        expr: core.Expr,
        numbers: tuple[core.Value, core.Value],
        counts: tuple[core.Expr, core.Expr],
    ) -> Iterator[core.Statement]:
        self.found = True
        span: Span = statement.span
        type = statement.value.type
        (first, second), value = numbers, core.primal(expr)
        chosen = core.Value(statement.value.name, type)
        yield core.Let(chosen, value, span)
        is_first = core.Binary(BinaryOp.NE, core.Use(chosen), core.Use(second), BOOL)
        given = (("x", is_first), ("y", core.Use(first)), ("z", core.Use(second)), ("w", counts[0]), ("r", counts[1]))
        terms = tuple((core.Use(of), core.Formula(text, given, type)) for of, text in zip(numbers, _PARTS, strict=True))
        yield core.Let(statement.value, core.Linear(core.Use(chosen), terms, type), span)
        same = core.Binary(BinaryOp.EQ, core.Use(first), core.Use(second), BOOL)
        together = core.Binary(BinaryOp.ADD, *counts, type)
        count = core.Value("equal", type)
        alone = core.Select(is_first, *counts, type)
        yield core.Let(count, core.Select(same, together, alone, type), span)
        self.counts[statement.value] = core.Use(count)


def _numbers(expr: core.Expr) -> tuple[core.Value, core.Value] | None:
    """The two numbers of which the larger or smaller is taken, where both are values."""
    given: tuple[core.Expr, ...] = ()
    if isinstance(expr, core.Linear) and is_shared(expr):
        given = tuple(of for of, _ in expr.terms)
    elif isinstance(expr, core.Math) and extremum(expr) is not None:
        given = expr.arguments
    match given:
        case (core.Use(first), core.Use(second)) if first is not second:
            return first, second
        case _:
            return None
