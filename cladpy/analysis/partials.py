"""The values that partial derivatives are made of."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy import derivatives
from cladpy.analysis.activity import Activity
from cladpy.analysis.flow import rule_of
from cladpy.ir import core
from cladpy.ir.walk import children


def partial_needs(expr: core.Expr, activity: Activity, name: core.Value | None = None) -> Iterator[core.Value]:
    """The values that the adjoint of an expression uses. `name` is the value that holds the expression's result."""
    waiting = [(expr, name)]
    given: set[int] = set()  # expressions all of whose values have been given: a product of many factors has them often
    while waiting:
        here, held = waiting.pop()
        if activity.expr(here):
            used, inner = _partial_needs(here, activity)
            for part in used:
                if part is here and held is not None:
                    yield held
                else:
                    yield from values_once(part, given)
            waiting += ((e, None) for e in reversed(inner))


def _partial_needs(expr: core.Expr, activity: Activity) -> tuple[list[core.Expr], tuple[core.Expr, ...]]:
    """What the adjoints of an expression's operands use whole, itself where its result is used, and the operands that
    have adjoints."""
    match expr:
        case core.Select(condition, then, other):
            return [condition], (then, other)
        case core.Linear(_, terms):
            return [factor for _, factor in terms], ()
        case _:
            rule = rule_of(expr)
            if rule is None:  # the adjoint reports what is missing
                return [], ()
            operands = children(expr)
            letters = {**dict(zip("xyzw", operands, strict=False)), "r": expr}
            pairs = zip(operands, rule.partials, strict=False)
            active = [(a, partial) for a, partial in pairs if partial is not None and activity.expr(a)]
            used = [letters[letter] for _, partial in active for letter in sorted(derivatives.used(partial))]
            return used, tuple(a for a, _ in active)


def values_once(expr: core.Expr, given: set[int]) -> Iterator[core.Value]:
    """The values that an expression uses, but for those of parts that are `given` already."""
    stack = [expr]
    while stack:
        here = stack.pop()
        if id(here) not in given:
            given.add(id(here))
            if isinstance(here, core.Use):
                yield here.value
            stack.extend(children(here))
