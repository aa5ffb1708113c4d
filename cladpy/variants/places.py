"""Generated kernels that run the threads of a launch by their numbers, on a grid of their own.

They are for launches of one line, of `blocks` blocks of `threads` threads, less than 2^30 in all. `place` is the number
of the thread that is run, counted over all blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.analysis.dimensions import BLOCKS, INDICES, THREADS
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import UINT
from cladpy.ir.walk import map_children

OWN_BLOCK = 256  # threads, of the kernels' own blocks


@dataclass(frozen=True, slots=True)
class Line:
    blocks: core.Value
    threads: core.Value
    place: core.Value

    @staticmethod
    def make() -> Line:
        return Line(core.Value("_grid_size", UINT), core.Value("_block_size", UINT), core.Value("_place", UINT))

    @property
    def length(self) -> core.Expr:
        """How many threads there are."""
        return core.Binary(BinaryOp.MUL, core.Use(self.blocks), core.Use(self.threads), UINT)

    def placed(self, expr: core.Expr) -> core.Expr:
        """An expression as the thread at the place evaluates it."""
        place, size = core.Use(self.place), core.Use(self.threads)
        if expr in _SUMS:
            return place
        if not isinstance(expr, core.Builtin):
            return map_children(expr, self.placed)
        match expr.var:
            case BuiltinVar.THREAD_X:
                return core.Binary(BinaryOp.REM, place, size, UINT)
            case BuiltinVar.BLOCK_X:
                return core.Binary(BinaryOp.DIV, place, size, UINT)
            case BuiltinVar.BLOCK_DIM_X:
                return size
            case BuiltinVar.GRID_DIM_X:
                return core.Use(self.blocks)
            case BuiltinVar.WARP_SIZE:
                return expr
            case _:
                return core.Const(0 if expr.var in INDICES else 1, UINT)


def own_number() -> core.Expr:
    """That of a thread of the kernel itself, along x."""
    block, thread = (core.Builtin(v, UINT) for v in (BuiltinVar.BLOCK_X, BuiltinVar.THREAD_X))
    before = core.Binary(BinaryOp.MUL, block, core.Const(OWN_BLOCK, UINT), UINT)
    return core.Binary(BinaryOp.ADD, before, thread, UINT)


def place_sums(thread: BuiltinVar, block: BuiltinVar) -> tuple[core.Expr, ...]:
    """The ways to write a thread's place along an axis."""
    at, before, size = core.Builtin(thread, UINT), core.Builtin(block, UINT), core.Builtin(THREADS[thread], UINT)
    found: list[core.Expr] = []
    for a, b in ((before, size), (size, before)):
        product = core.Binary(BinaryOp.MUL, a, b, UINT)
        found += [core.Binary(BinaryOp.ADD, product, at, UINT), core.Binary(BinaryOp.ADD, at, product, UINT)]
    return tuple(found)


_SUMS = place_sums(next(iter(THREADS)), next(iter(BLOCKS)))
