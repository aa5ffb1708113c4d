"""Choices of the larger or smaller number that a branch makes, made behind it: what loops look for among some numbers.

    loop { if (valid) { x = load; next = x > m ? x : m } }        loop { if (valid) { x = load }
           m = valid ? next : m                                         m = valid && x > m ? x : m }

What the branch leaves is the number alone then, so that the choice is one that `ties.py` and `searches.py` know: what
is not looked at has no part in the result. Beyond the branch the number is zero, which nothing asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from cladpy.adjoint.extrema import TRUE, made_of, wide
from cladpy.analysis.activity import Activity
from cladpy.analysis.alike import alike
from cladpy.analysis.extrema import Names, compared, extremum, same
from cladpy.analysis.steering import steering
from cladpy.derivatives import Extremum
from cladpy.ir import core
from cladpy.ir.fold import binary, unary, zero
from cladpy.ir.names import written_out
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, is_floating
from cladpy.ir.walk import defined, operands, statements, substitute, values


def with_lifted_choices(function: core.Function, activity: Activity, *, may_alias: bool = False) -> core.Function:
    """The function with such choices of its loops behind the branches; the function itself where it has none."""
    if activity.integers:
        return function
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    names = Names(lets, alike(function, may_alias=may_alias))
    lifting = _Lifting(activity, steering(function, activity), names)
    body = lifting.region(function.body, ())
    return replace(function, body=body) if lifting.found else function


@dataclass(slots=True)
class _Lifting:
    activity: Activity
    steering: Collection[core.Value]
    names: Names
    found: bool = False

    def region(self, region: core.Region, searched: Collection[core.Value]) -> core.Region:
        """`searched` is the number that the loop around carries on, and what has been found of it so far."""
        so_far = set(searched)
        out: list[core.Statement] = []
        for statement in region:
            match statement:
                case core.Loop(carried):
                    active = [c.value for c in carried if c.value in self.activity.values]
                    inside = self.region(statement.body, active if len(active) == 1 else ())
                    out.append(replace(statement, body=inside))
                    continue
                case core.If(_, then, other):
                    then, other = self.region(then, so_far), self.region(other, so_far)
                    out += self._lifted(replace(statement, then=then, other=other), so_far, out)
                    continue
                case core.Let(value, core.Select(_, then, other)):
                    chosen_of: tuple[core.Expr, ...] = (then, other)
                case core.Let(value, core.Math(_, arguments) as expr) if extremum(expr) is not None:
                    chosen_of = arguments
                case _:
                    chosen_of = ()
            out.append(statement)
            if chosen_of and any(_is_one_of(e, so_far) for e in chosen_of):
                so_far.add(value)
        return tuple(out)

    def _lifted(
        self, statement: core.If, so_far: set[core.Value], before: list[core.Statement]
    ) -> list[core.Statement]:
        """An `if`, and the choice behind it, where it makes one of a number and of what has been found `so_far`."""
        inside = [s for region in (statement.then, statement.other) for s in statements(region)]
        active = [m for m in statement.merges if m.value in self.activity.values]
        if len(active) != 1 or not all(isinstance(s, core.Let | core.Load | core.If) for s in inside):
            return [statement]
        (merge,) = active
        first = _is_one_of(merge.other, so_far)
        valid = statement.condition if first else unary(UnaryOp.NOT, statement.condition, BOOL)
        made, found = (merge.then, merge.other) if first else (merge.other, merge.then)
        own = {v for s in inside for v in defined(s)}
        if not _is_one_of(found, so_far) or not is_floating(merge.value.type):
            return [statement]
        is_there = own.isdisjoint(values(made)) or self._is_compared(made, statement.condition)
        if is_there and not _is_left_by(statement.condition, before):
            return [statement]  # it takes a number that is there before it, which is a choice already
        region = statement.then if first else statement.other
        number, taken = _choice(region, made, found)
        if not so_far.isdisjoint(made_of((number,), (*before, statement))):
            return [statement]
        self.found = True
        so_far.add(merge.value)
        left = core.Value(number.value.name if isinstance(number, core.Use) else "number", merge.value.type)
        merges = [_merge(left, number, zero(left.type), first) if m is merge else m for m in statement.merges]
        asked = _beyond(taken, number, core.Use(left), region)
        steers = any(m.value in self.steering for m in statement.merges)
        if taken != TRUE and (steers or not own.isdisjoint(values(asked))):  # the branch says what it takes
            flag = core.Value("taken", BOOL)
            condition: core.Expr = core.Use(flag)
            merges.append(_merge(flag, taken, core.Const(False, BOOL), first))
        else:
            condition = binary(BinaryOp.AND, valid, asked, BOOL)
        chosen = core.Select(condition, core.Use(left), found, merge.value.type)
        then, other = (_without_unused(r, merges) for r in (statement.then, statement.other))
        without = core.If(statement.condition, then, other, tuple(merges), statement.span)
        return [without, core.Let(merge.value, chosen, statement.span)]

    def _is_compared(self, number: core.Expr, condition: core.Expr) -> bool:
        """Whether what a branch computes is a number that its condition compares, as `if (2 * x > m) m = 2 * x`."""
        return any(same(e, number, self.names) for e in compared(condition, self.names))


def _is_left_by(condition: core.Expr, before: list[core.Statement]) -> bool:
    """Whether a branch before leaves a condition, as that of `k < n && x[k] > m`."""
    left = (m.value for s in before if isinstance(s, core.If) for m in s.merges)
    return isinstance(condition, core.Use) and condition.value in left


def _merge(value: core.Value, taken: core.Expr, otherwise: core.Expr, first: bool) -> core.Merge:
    return core.Merge(value, taken, otherwise) if first else core.Merge(value, otherwise, taken)


def _is_one_of(expr: core.Expr, found: Collection[core.Value]) -> bool:
    return isinstance(expr, core.Use) and expr.value in found


def _choice(region: core.Region, made: core.Expr, before: core.Expr) -> tuple[core.Expr, core.Expr]:
    """The number that a branch chooses beside what was there `before`, and the condition by which it takes it."""
    lets = {s.value: s.expr for s in region if isinstance(s, core.Let)}
    match lets.get(made.value) if isinstance(made, core.Use) else made:
        case core.Select(condition, then, other) if other == before != then:
            return then, condition
        case core.Select(condition, then, other) if then == before != other:
            return other, unary(UnaryOp.NOT, condition, BOOL)
        case core.Math(_, (first, second)) as expr if (kind := extremum(expr)) and before in (first, second):
            number = second if first == before else first
            order = BinaryOp.GT if kind is Extremum.LARGER else BinaryOp.LT
            larger = core.Binary(order, wide(number), wide(before), BOOL)
            no_number = core.Binary(BinaryOp.NE, wide(before), wide(before), BOOL)  # in place of which it is taken
            return number, core.Binary(BinaryOp.OR, larger, no_number, BOOL)
        case _:
            return made, TRUE


def _without_unused(region: core.Region, merges: Iterable[core.Merge]) -> core.Region:
    """A branch without what it computes for nothing, now that it does not choose."""
    needed = {v for m in merges for e in (m.then, m.other) for v in values(e)}
    left: list[core.Statement] = []
    for statement in reversed(region):
        if not isinstance(statement, core.Let) or statement.value in needed:
            left.append(statement)
            needed |= {v for s in statements((statement,)) for e in operands(s) for v in values(e)}
    return tuple(reversed(left))


def _beyond(condition: core.Expr, number: core.Expr, left: core.Expr, region: core.Region) -> core.Expr:
    """A condition of a branch, of what the branch leaves: the number, and what is there without it."""
    lets = {s.value: s.expr for s in region if isinstance(s, core.Let) and not is_floating(s.value.type)}
    whole = written_out(condition, lets.get)
    if whole is None or not isinstance(number, core.Use):
        return condition
    return substitute(whole, {number.value: left})
