"""Sums whose terms depend on a value from outside, beside memory: the partial by that value is summed as the loop runs.

`for (c ...) s += (x[c] - m) * (x[c] - m)` is reversed for the sake of x, and would go over the row for the adjoint of m
as well, before anything that is made of this adjoint is known. But all terms have one cotangent, that of s: the loop
carries the sum of their partials by m, and what follows uses the result with that partial known (`core.Linear`). What
is left to reverse adds to memory only, and may wait for other passes over the row (`passes/sum_sinking.py`).

That pays where the loop is run in the gradient anyway, because its result is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from cladpy.adjoint.preaccumulation import PARTIALS, Tangents, TangentWriter
from cladpy.analysis.activity import Activity
from cladpy.analysis.discarded import Discarded
from cladpy.diagnostics import Sink
from cladpy.ir import core
from cladpy.ir.fold import zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import is_floating, is_half
from cladpy.ir.walk import defined, map_operands, operands, statements, substitute, values, with_regions


def with_outside_sums(
    function: core.Function,
    activity: Activity,
    discarded: Discarded,
    sink: Sink,
    needed: Callable[[], frozenset[core.Value]],
) -> core.Function:
    """The function with such partials known; the function itself where there are none. `needed` finds what the gradient
    needs."""
    found = {s: sum for s in statements(function.body) if isinstance(s, core.Loop) and (sum := _sum(s, activity))}
    if activity.integers or not found:
        return function
    known = needed()
    chosen = {loop: sum for loop, sum in found.items() if sum.carried.result in known}
    if not chosen:
        return function

    def region(block: core.Region) -> core.Region:
        out: list[core.Statement] = []
        for s in block:
            if isinstance(s, core.Loop) and s in chosen:
                out += _with_partials(s, chosen[s], activity, discarded, sink)
            else:
                out.append(with_regions(s, region))
        return tuple(out)

    return replace(function, body=region(function.body))


@dataclass(frozen=True, slots=True)
class _Sum:
    """What a loop sums, and the values from outside that its terms depend on."""

    carried: core.Carried
    outside: tuple[core.Value, ...]
    dependent: frozenset[core.Value]  # what is made of these in the loop


def _sum(loop: core.Loop, activity: Activity) -> _Sum | None:
    active = [c for c in loop.carried if c.value in activity.values]
    if len(active) != 1 or loop.lanes is not None or loop.before:
        return None
    (carried,) = active
    if not all(isinstance(s, core.Let | core.Load) for s in loop.body) or not _is_number(carried.value):
        return None
    lets = {s.value: s.expr for s in loop.body if isinstance(s, core.Let)}
    every = [*(e for s in loop.body for e in operands(s)), *(c.next for c in loop.carried), loop.condition]
    total = lets.get(carried.next.value) if isinstance(carried.next, core.Use) else carried.next
    if sum(v is carried.value for e in every for v in values(e)) != 1 or not _adds(total, carried.value):
        return None
    inner = {v for s in loop.body for v in defined(s)} | {c.value for c in loop.carried}
    outside: dict[core.Value, None] = {}
    dependent: set[core.Value] = set()
    memory = False
    for s in loop.body:
        if isinstance(s, core.Load):
            memory |= s.value in activity.values
        elif isinstance(s, core.Let) and s.value in activity.values:
            found = [v for v in values(s.expr) if v in activity.values and v not in inner]
            outside |= dict.fromkeys(found)
            if found or not dependent.isdisjoint(values(s.expr)):
                dependent.add(s.value)
    outside |= dict.fromkeys(v for v in values(carried.next) if v in activity.values and v not in inner)
    if not memory or not 0 < len(outside) <= PARTIALS or not all(map(_is_number, outside)):
        return None
    return _Sum(carried, tuple(outside), frozenset(dependent))


def _is_number(value: core.Value) -> bool:
    return is_floating(value.type) and not is_half(value.type)


def _adds(total: core.Expr | None, value: core.Value) -> bool:
    """Whether something is added to a value, or subtracted."""
    match total:
        case core.Binary(BinaryOp.ADD, left, right):
            return core.Use(value) in (left, right)
        case core.Binary(BinaryOp.SUB, left, _):
            return left == core.Use(value)
        case _:
            return False


def _with_partials(
    loop: core.Loop, sum: _Sum, activity: Activity, discarded: Discarded, sink: Sink
) -> list[core.Statement]:
    """The loop, in which the values from outside are constants, with sums of the partials by these."""
    type = adjoint_value(sum.carried.value.type)
    # of all that is active, only what depends on these values has a tangent: the increment of the sum is its own
    within = replace(activity, values=frozenset((*sum.outside, *sum.dependent)))
    tangents = TangentWriter(within, discarded, sink)
    tangents.known = {v: {v: core.Const(1.0, adjoint_value(v.type))} for v in sum.outside}
    body = tangents.region(loop.body)
    after: Tangents = tangents.of(sum.carried.next, type, loop.span, body)
    constants = {v: core.Value(v.name, v.type) for v in sum.outside}
    names: dict[core.Value, core.Expr] = {v: core.Use(constant) for v, constant in constants.items()}
    raw = core.Value(sum.carried.result.name, sum.carried.result.type)
    carried: list[core.Carried] = []
    for c in loop.carried:
        mine = c is sum.carried
        carried.append(replace(c, next=substitute(c.next, names), result=raw if mine else c.result))
    terms: list[tuple[core.Use, core.Expr]] = [(core.Use(raw), core.Const(1.0, type))]
    for v in sum.outside:
        total, result = (core.Value(f"{sum.carried.value.name}_by_{v.name}", type) for _ in range(2))
        increment = substitute(after.get(v, zero(type)), names)
        carried.append(
            core.Carried(total, zero(type), core.Binary(BinaryOp.ADD, core.Use(total), increment, type), result)
        )
        terms.append((core.Use(v), core.Use(result)))
    fixed = tuple(map_operands(s, lambda e: substitute(e, names)) for s in body)
    return [
        *(core.Let(constant, core.Linear(core.Use(v), (), v.type), loop.span) for v, constant in constants.items()),
        replace(loop, carried=tuple(carried), condition=substitute(loop.condition, names), body=fixed),
        core.Let(sum.carried.result, core.Linear(core.Use(raw), tuple(terms), sum.carried.result.type), loop.span),
    ]
