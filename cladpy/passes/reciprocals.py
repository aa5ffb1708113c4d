"""Quotients by what adjoints are divided by.

The reverse sweep multiplies adjoints by the reciprocal of a divisor (`cladpy::over`), which on a GPU takes a good deal
less than a division, and is the same for all that is divided by one number. So quotients by that number are made with
it too, where they decide nothing. They differ from the original's by a unit in the last place or two. Where the
reciprocal is infinite, so is the derivative.
"""

from __future__ import annotations

from cladpy.derivatives.text import OVER
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, expressions
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import is_half
from cladpy.ir.walk import subexpressions
from cladpy.passes.deciding import relaxed

_RECIPROCAL = "cladpy::reciprocal(y)"


def multiplied(dividend: core.Expr, divisor: core.Expr) -> core.Expr:
    """The quotient, by the divisor's reciprocal."""
    type = dividend.type
    return core.Binary(BinaryOp.MUL, dividend, core.Formula(_RECIPROCAL, (("y", divisor),), type), type)


def with_shared_reciprocals(block: code.Block) -> code.Block:
    """The body of a kernel's gradient, complete."""
    divisors = _divisors(block)

    def by_reciprocals(expr: core.Expr) -> core.Expr:
        match expr:
            case core.Binary(BinaryOp.DIV, left, right, type) if right in divisors and not is_half(type):
                return multiplied(left, right)
            case _:
                return expr

    return relaxed(block, by_reciprocals) if divisors else block


def _divisors(block: code.Block) -> set[core.Expr]:
    """What adjoints are divided by."""
    parts = (e for s in all_statements(block) for expr in expressions(s) for e in subexpressions(expr))
    return {e.operands[-1][1] for e in parts if isinstance(e, core.Formula) and e.text in (OVER, _RECIPROCAL)}
