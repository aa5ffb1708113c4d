"""What integers are for one thread of a block, where its number and constants decide that."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cladpy.analysis.affine import Affine, Monomial
from cladpy.ir import core
from cladpy.ir.fold import wrap
from cladpy.ir.surface import BinaryOp, BuiltinVar, UnaryOp
from cladpy.ir.types import is_integer

_ANY: Mapping[BinaryOp, Callable[[int, int], int]] = {
    BinaryOp.ADD: operator.add,
    BinaryOp.SUB: operator.sub,
    BinaryOp.MUL: operator.mul,
    BinaryOp.BIT_AND: operator.and_,
    BinaryOp.BIT_OR: operator.or_,
    BinaryOp.BIT_XOR: operator.xor,
    BinaryOp.LT: operator.lt,
    BinaryOp.LE: operator.le,
    BinaryOp.GT: operator.gt,
    BinaryOp.GE: operator.ge,
    BinaryOp.EQ: operator.eq,
    BinaryOp.NE: operator.ne,
}
_OF_POSITIVE: Mapping[BinaryOp, Callable[[int, int], int]] = {  # the second is not 0 where it divides
    BinaryOp.DIV: operator.floordiv,
    BinaryOp.REM: operator.mod,
    BinaryOp.SHL: lambda a, b: a << min(b, 64),
    BinaryOp.SHR: operator.rshift,
}


@dataclass(frozen=True, slots=True)
class Lane:
    """A thread by its number in a block of one dimension. `given` are values that are known besides, `lets` what names
    stand for."""

    number: int
    lets: Mapping[core.Value, core.Expr]
    given: Mapping[core.Value, int]
    _known: dict[core.Value, int | None] = field(default_factory=dict)

    def value(self, expr: core.Expr) -> int | None:
        """An integer or a condition; None where something else has a say."""
        match expr:
            case core.Const(value) if not isinstance(value, float):
                return int(value)
            case core.Builtin(var) if var is BuiltinVar.THREAD_X:
                return self.number
            case core.Use(value) if value in self.given:
                return self.given[value]
            case core.Use(value) if value in self.lets:
                if value not in self._known:
                    self._known[value] = self.value(self.lets[value])
                return self._known[value]
            case core.Cast(operand, type) if is_integer(type) and is_integer(operand.type):
                known = self.value(operand)
                return None if known is None else wrap(known, type)
            case core.Unary(UnaryOp.NOT, operand):
                known = self.value(operand)
                return None if known is None else not known
            case core.Binary(op, left, right) if is_integer(left.type):
                return _applied(op, self.value(left), self.value(right))
            case core.Select(condition, then, other):
                known = self.value(condition)
                return None if known is None else self.value(then if known else other)
            case _:
                return None

    def polynomial(self, of: Affine) -> Affine:
        """An index, with numbers in the place of what is known."""
        sums: dict[Monomial, int] = {}
        for monomial, count in of.terms:
            rest = []
            for atom in monomial:
                known = self.value(atom)
                if known is None:
                    rest.append(atom)
                else:
                    count *= known
            sums[tuple(rest)] = sums.get(tuple(rest), 0) + count
        return Affine.of(sums)


def _applied(op: BinaryOp, left: int | None, right: int | None) -> int | None:
    if op in (BinaryOp.AND, BinaryOp.OR):
        decides = int(op is BinaryOp.OR)
        if left == decides or right == decides:
            return decides
        return None if left is None or right is None else 1 - decides
    if left is None or right is None:
        return None
    if op in _ANY:
        return int(_ANY[op](left, right))
    if left < 0 or right < 0 or (right == 0 and op in (BinaryOp.DIV, BinaryOp.REM)):
        return None
    return _OF_POSITIVE[op](left, right)
