"""Half of something that is only ever doubled.

The derivative of a root halves, that of a square doubles: of a distance, `sqrt(x * x + y * y)`, the adjoint would be
multiplied by 0.5, and then be added to itself for each coordinate. A floating-point number that is halved and doubled
is what it was before, so neither is done.

    r = d * p * 0.5; d_x += (r + r) * x; d_y += (r + r) * y      r = d * p; d_x += r * x; d_y += r * y
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, expressions, map_block, with_blocks
from cladpy.ir.fold import unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import is_floating, is_half
from cladpy.ir.walk import map_children, subexpressions


def without_halves(block: code.Block) -> code.Block:
    """The block with halves that are only doubled as they were before."""
    wholes = {
        s.variable: whole
        for s in all_statements(block)
        if isinstance(s, code.Define) and not s.mutable and (whole := _whole(s.init)) is not None
    }
    if not wholes:
        return block
    used: Counter[core.Value] = Counter()
    doubled: Counter[core.Value] = Counter()

    for e in (e for s in all_statements(block) for expr in expressions(s) for e in subexpressions(expr)):
        if isinstance(e, core.Use):
            used[e.value] += 1
        of = _doubled(e)
        if of is not None:
            doubled[of] += 2
    chosen = {v: whole for v, whole in wholes.items() if 0 < used[v] == doubled[v]}

    def once(expr: core.Expr) -> core.Expr:
        of = _doubled(expr)
        return core.Use(of) if of is not None and of in chosen else map_children(expr, once)

    def defined(s: code.Statement) -> code.Statement:
        if isinstance(s, code.Define) and s.variable in chosen:
            return replace(s, init=chosen[s.variable])
        return with_blocks(s, lambda inner: tuple(map(defined, inner)))

    return map_block(tuple(map(defined, block)), once) if chosen else block


def _whole(init: code.Initializer) -> core.Expr | None:
    """What is halved, with the sign of the half."""
    if not isinstance(init, core.Binary) or init.op is not BinaryOp.MUL:
        return None
    if not is_floating(init.type) or is_half(init.type):  # whose smallest numbers are not so small
        return None
    for factor, half in ((init.left, init.right), (init.right, init.left)):
        if isinstance(half, core.Const) and abs(half.value) == 0.5 and factor.type == init.type:
            return factor if half.value > 0 else unary(UnaryOp.NEG, factor, init.type)
    return None


def _doubled(expr: core.Expr) -> core.Value | None:
    """The variable that an expression adds to itself."""
    match expr:
        case core.Binary(BinaryOp.ADD, core.Use(value), core.Use(other)) if value is other:
            return value
        case _:
            return None
