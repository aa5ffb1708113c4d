"""Handles, such as streams and events. Those that the program makes are null in its gradient, which has no use for
them, but not in the program: what asks whether they are is decided here, or refused. A stream that is made and kept in
memory is the default one by its other name, which is not null.
"""

from __future__ import annotations

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, STREAM, Opaque
from cladpy.normalize.report import Report
from cladpy.normalize.ssa import MADE, SSA, UNSURE

_DEFAULT = 1  # cudaStreamLegacy


def stored(handle: core.Expr, ssa: SSA) -> core.Expr:
    """What memory gets where the program stores a number or a handle."""
    if not isinstance(handle.type, Opaque):
        return handle
    if handle == core.Const(MADE, STREAM):
        return core.Const(_DEFAULT, STREAM)
    if ssa.unsure_handle(handle) or (isinstance(handle, core.Const) and handle.value in (MADE, UNSURE)):
        ssa.unsure_in_memory.add(handle.type)
    return handle


def compared(op: BinaryOp, left: core.Expr, right: core.Expr, ssa: SSA, report: Report, span: Span) -> core.Expr | None:
    """What a comparison of handles is known to be; None where the gradient has both as the program does."""
    kinds = [e.value if isinstance(e, core.Const) else None for e in (left, right)]
    in_memory = left.type in ssa.unsure_in_memory and None in kinds
    if in_memory or UNSURE in kinds or ssa.unsure_handle(left) or ssa.unsure_handle(right) or kinds == [MADE, MADE]:
        raise report.refuse(
            "CP0210",
            "a handle that may be made here is compared, and the gradient makes none",
            span,
            "ask what the calls that make it return",
        )
    if MADE not in kinds and None in kinds:
        return None
    return core.Const((kinds[0] == kinds[1]) is (op is BinaryOp.EQ), BOOL)
