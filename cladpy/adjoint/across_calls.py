"""Calls of functions that compare numbers which are compared elsewhere, too: those are inlined.

Where a branch compares two numbers, all else that has a kink where these are equal takes the branch's side
(`adjoint/ties.py`). So the branch and what follows it have to be seen together, as in
`relu(v) + log1p(exp(-fabs(v)))`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from cladpy import derivatives
from cladpy.analysis import extrema
from cladpy.analysis.activity import Activity
from cladpy.analysis.alike import alike
from cladpy.ir import core
from cladpy.ir.reach import memory_in, reached
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.walk import operands, statements, subexpressions
from cladpy.normalize.policy import Policy

# A number that is compared, by what it is computed of; or memory, for all that is loaded from it.
_Compared = core.Expr | core.Root


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a number is compared: by a call, or here, by a branch or not."""

    call: core.Call | None
    branches: bool


def compared_across(function: core.Function, activity: Activity, policy: Policy) -> set[FunctionSymbol]:
    """The functions whose calls compare numbers that are compared in another place, too: by a branch in one of them."""
    calls = [s for s in statements(function.body) if isinstance(s, core.Call) and any(policy.compares(s.callee))]
    if not calls:
        return set()
    reader = _Reader(function, activity, policy.may_alias)
    places: dict[_Compared, set[_Place]] = {}
    for number, branches in reader.here():
        places.setdefault(number, set()).add(_Place(None, branches))
    for call in calls:
        branches, _ = policy.compares(call.callee)
        for number in reader.given(call):
            places.setdefault(number, set()).add(_Place(call, branches))
    return {
        place.call.callee
        for found in places.values()
        for place in found
        if place.call is not None
        and any(other.call is not place.call and (place.branches or other.branches) for other in found)
    }


class _Reader:
    def __init__(self, function: core.Function, activity: Activity, may_alias: bool) -> None:
        self.function, self.activity = function, activity
        lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
        self.names = extrema.Names(lets, alike(function, may_alias=may_alias))
        self.loads = {s.value: s.root for s in statements(function.body) if isinstance(s, core.Load)}

    def here(self) -> Iterator[tuple[_Compared, bool]]:
        """What the function compares itself, and whether for a branch."""
        for e in (e for s in statements(self.function.body) for expr in operands(s) for e in subexpressions(expr)):
            compared = extrema.comparison(e)
            if compared is not None:
                yield from ((n, True) for of in (compared[0], compared[2]) for n in self._numbers(of))
            elif isinstance(e, core.Math) and derivatives.has_kinks(e.callee.qualified_name, len(e.arguments)):
                yield from ((n, False) for of in e.arguments for n in self._numbers(of))

    def given(self, call: core.Call) -> Iterator[_Compared]:
        """What a call may compare."""
        for argument in call.arguments:
            if isinstance(argument, get_args(core.Expr)):
                if self.activity.expr(argument):
                    yield from self._numbers(argument)
                continue
            for memory in memory_in(argument):
                yield from (root for root in reached(memory, self.function) if root in self.activity.roots)

    def _numbers(self, compared: core.Expr) -> Iterator[_Compared]:
        """A number, and those of which it is the difference."""
        number = extrema.plain(compared, self.names)
        match number:
            case core.Const():
                return
            case core.Use(value) if value in self.loads:
                yield self.loads[value]
            case core.Unary(UnaryOp.NEG, operand):
                yield operand
            case core.Binary(BinaryOp.SUB, left, right):
                yield from (e for e in (left, right) if not isinstance(e, core.Const))
        yield number
