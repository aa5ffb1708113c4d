"""Which values are the same for the lanes of a warp that come to use them together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cladpy import known
from cladpy.analysis.affine import affine
from cladpy.analysis.uniform import IN_BLOCK, Varying, fixpoint, written_locally
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import UINT, is_integer
from cladpy.ir.walk import statements

WARP = 32

Lets = Mapping[core.Value, core.Expr]

_X, _Y, _Z, _WIDTH, _HEIGHT = (
    core.Builtin(v, UINT)
    for v in (
        BuiltinVar.THREAD_X,
        BuiltinVar.THREAD_Y,
        BuiltinVar.THREAD_Z,
        BuiltinVar.BLOCK_DIM_X,
        BuiltinVar.BLOCK_DIM_Y,
    )
)
# The number of a thread in its block.
_IN_BLOCK = affine(
    core.Binary(
        BinaryOp.ADD,
        _X,
        core.Binary(
            BinaryOp.MUL,
            _WIDTH,
            core.Binary(BinaryOp.ADD, _Y, core.Binary(BinaryOp.MUL, _HEIGHT, _Z, UINT), UINT),
            UINT,
        ),
        UINT,
    ),
    {},
)


def varying_lanes(function: core.Function) -> Varying:
    """What may differ between the lanes of a warp."""
    return _varying(function, _same_in_warp)


def varying_in_whole_warps(function: core.Function) -> Varying:
    """The same for blocks of whole warps, as almost all are: what asks for this must be right for others, too."""
    return _varying(function, lambda e, lets: _same_in_warp(e, lets) or _numbers_warps(e, lets))


def varying_by_thread(function: core.Function) -> Varying:
    """What differs between any two threads of a warp, as far as can be seen, or is the same for some of them: quotients
    are, such as the number of a warp or of a part of one."""
    return _varying(function, lambda e, lets: e.op in (BinaryOp.DIV, BinaryOp.SHR) and is_integer(e.type))


def _varying(function: core.Function, same: Callable[[core.Binary, Lets], bool]) -> Varying:
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    varying = Varying(sources=IN_BLOCK, agreed=lambda e: same(e, lets))

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


def _same_in_warp(expr: core.Binary, lets: Lets) -> bool:
    """`threadIdx.x / 32`, `threadIdx.x < 64`: the same for a warp where blocks have one dimension; where they have
    more, nothing that is right for a warp of the original asks this of lanes that differ. The same by the number of a
    thread among those of a block of any shape, as cooperative groups count."""
    if not isinstance(expr.right, core.Const) or isinstance(expr.right.value, float):
        return False
    left, limit = _named(expr.left, lets), int(expr.right.value)
    if expr.op is BinaryOp.DIV and limit > 0 and limit % WARP == 0 and affine(left, lets) == _IN_BLOCK:
        return True
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


def _numbers_warps(expr: core.Binary, lets: Lets) -> bool:
    """`(blockIdx.x * blockDim.x + threadIdx.x) / 32`: the number of a warp."""
    match expr.op, expr.right:
        case (BinaryOp.DIV, core.Builtin(BuiltinVar.WARP_SIZE)):
            pass
        case (BinaryOp.DIV, core.Const(int(by))) if by > 0 and by % WARP == 0:
            pass
        case (BinaryOp.SHR, core.Const(int(by))) if by >= 5:
            pass
        case _:
            return False
    lanes = [(m, c) for m, c in affine(_named(expr.left, lets), lets).terms if not _steps_over_warps(m, c)]
    return lanes == [((core.Builtin(BuiltinVar.THREAD_X, UINT),), 1)]


def _steps_over_warps(monomial: Sequence[core.Expr], coefficient: int) -> bool:
    """Whether a summand is a multiple of a warp's lanes, where a block is."""
    sizes = (isinstance(atom, core.Builtin) and atom.var is BuiltinVar.BLOCK_DIM_X for atom in monomial)
    return coefficient % WARP == 0 or any(sizes)


def _named(expr: core.Expr, lets: Lets) -> core.Expr:
    """What a name stands for, without conversions."""
    while True:
        match expr:
            case core.Cast(operand):
                expr = operand
            case core.Use(value) if value in lets:
                expr = lets[value]
            case _:
                return expr
