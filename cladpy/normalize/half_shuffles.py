"""A double that lanes hand each other by its two halves, as one shuffle of the double.

`__hiloint2double(__shfl_sync(m, __double2hiint(v), l), __shfl_sync(m, __double2loint(v), l))` is how libraries wrote
what `__shfl_sync(m, v, l)` is. As bits the number would have no derivative. Both shuffles stand in one region, so that
the same lanes run them, and a third one behind them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cladpy import known
from cladpy.ir import core
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import DOUBLE, Type
from cladpy.ir.walk import map_children, map_operands, statements, with_regions

_HIGH, _LOW, _JOINED = "__double2hiint", "__double2loint", "__hiloint2double"


def join_halves(function: core.Function) -> core.Function:
    """The function with such shuffles joined."""
    if not any(isinstance(s, core.Collective) and _is_shuffle(s) for s in statements(function.body)):
        return function
    return _Joining(function).joined()


def _is_shuffle(statement: core.Collective) -> bool:
    return known.collective(statement.callee.name).gives is known.Gives.NUMBER


@dataclass(slots=True)
class _Joining:
    function: core.Function
    names: dict[core.Value, core.Expr] = field(init=False)
    # the shuffled double, by the values of its high and its low half
    whole: dict[tuple[core.Value, core.Value], core.Value] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.names = {s.value: s.expr for s in statements(self.function.body) if isinstance(s, core.Let)}

    def joined(self) -> core.Function:
        body = self._with_whole(self.function.body)
        return replace(self.function, body=self._used(body)) if self.whole else self.function

    # ---- shuffles of doubles beside those of their halves ------------------------------------------------------------

    def _with_whole(self, region: core.Region) -> core.Region:
        out: list[core.Statement] = []
        halves: list[tuple[core.Collective, str, core.Expr]] = []
        for statement in region:
            inner = with_regions(statement, self._with_whole)
            out.append(inner)
            found = self._half(inner)
            if found is None:
                continue
            shuffle, which, number = found
            other = next((s for s, w, n in halves if w != which and n == number and _alike(s, shuffle)), None)
            halves.append(found)
            if other is not None and other.value is not None and shuffle.value is not None:
                value = core.Value("shuffled", DOUBLE)
                high, low = (shuffle, other) if which == _HIGH else (other, shuffle)
                assert high.value is not None and low.value is not None
                self.whole[high.value, low.value] = value
                given = (number, *shuffle.operands[1:])
                out.append(core.Collective(value, _of_doubles(shuffle.callee), shuffle.mask, given, shuffle.span))
        return tuple(out)

    def _half(self, statement: core.Statement) -> tuple[core.Collective, str, core.Expr] | None:
        """A shuffle of one half of a number, which half, and the number."""
        if not isinstance(statement, core.Collective) or not _is_shuffle(statement):
            return None
        taken = self._named(statement.operands[0])
        if isinstance(taken, core.Math) and taken.callee.name in (_HIGH, _LOW):
            return statement, taken.callee.name, taken.arguments[0]
        return None

    def _named(self, expr: core.Expr) -> core.Expr:
        while isinstance(expr, core.Use) and expr.value in self.names:
            expr = self.names[expr.value]
        return expr

    # ---- and where the halves come together --------------------------------------------------------------------------

    def _used(self, region: core.Region) -> core.Region:
        return tuple(map_operands(with_regions(s, self._used), self._whole) for s in region)

    def _whole(self, expr: core.Expr) -> core.Expr:
        if isinstance(expr, core.Math) and expr.callee.name == _JOINED:
            high, low = (self._named(a) for a in expr.arguments)
            if isinstance(high, core.Use) and isinstance(low, core.Use) and (high.value, low.value) in self.whole:
                return core.Use(self.whole[high.value, low.value])
        return map_children(expr, self._whole)


def _alike(one: core.Collective, other: core.Collective) -> bool:
    """Whether two shuffles are the same but for what they are given."""
    same = one.callee.name == other.callee.name and one.mask == other.mask
    return same and one.operands[1:] == other.operands[1:]


def _of_doubles(callee: FunctionSymbol) -> FunctionSymbol:
    parameters: tuple[Type, ...] = (callee.parameters[0], DOUBLE, *callee.parameters[2:])
    return replace(callee, parameters=parameters, result=DOUBLE)
