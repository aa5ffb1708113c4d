"""Which values are the same for the lanes of a warp that come to use them together."""

from __future__ import annotations

from collections.abc import Mapping

from cladpy import known
from cladpy.analysis.uniform import IN_BLOCK, Varying, fixpoint, written_locally
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.walk import statements

WARP = 32


def varying_lanes(function: core.Function) -> Varying:
    """What may differ between the lanes of a warp."""
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    varying = Varying(sources=IN_BLOCK, agreed=lambda e: _same_in_warp(e, lets))

    def agree(statement: core.Statement) -> bool:
        if not isinstance(statement, core.Collective):
            return isinstance(statement, core.Barrier)
        asked = statement.arguments
        if known.collective(statement.callee.name).agreed:
            return not varying.expr(asked[0])
        if statement.callee.name != "__shfl_sync":
            return False
        mask, _, lane, width = asked  # a broadcast, of one lane to all
        whole = isinstance(width, core.Builtin) and width.var is BuiltinVar.WARP_SIZE
        return whole and not varying.expr(mask) and not varying.expr(lane)

    return fixpoint(function, varying, written_locally(function), agree)


def _same_in_warp(expr: core.Binary, lets: Mapping[core.Value, core.Expr]) -> bool:
    """`threadIdx.x / 32`, `threadIdx.x < 64`: the same for a warp where blocks have one dimension; where they have
    more, nothing that is right for a warp of the original asks this of lanes that differ."""
    if not isinstance(expr.right, core.Const) or isinstance(expr.right.value, float):
        return False
    left, limit = expr.left, int(expr.right.value)
    while isinstance(left, core.Use | core.Cast):
        if isinstance(left, core.Cast):
            left = left.operand
        elif left.value in lets:
            left = lets[left.value]
        else:
            return False
    if not isinstance(left, core.Builtin) or left.var is not BuiltinVar.THREAD_X:
        return False
    match expr.op:
        case BinaryOp.DIV | BinaryOp.LT | BinaryOp.GE:
            return limit > 0 and limit % WARP == 0
        case BinaryOp.LE | BinaryOp.GT:
            return (limit + 1) % WARP == 0
        case BinaryOp.SHR:
            return limit >= 5
        case _:
            return False
