"""Integers have derivatives where the user names an integer argument. They flow through what those of numbers flow
through; bits and remainders have none, which would be a silent zero."""

from __future__ import annotations

from cladpy.analysis.flow import Useful, Varied, carrying, through
from cladpy.diagnostics import Sink
from cladpy.ir import core
from cladpy.ir.types import is_integer
from cladpy.ir.walk import children
from cladpy.normalize.marks import DETACHED


def check_integers(varied: Varied, useful: Useful, sink: Sink) -> None:
    """Reports CP0319 for bits and remainders of integers that have an adjoint, and functions without a derivative."""
    for expr, span in useful.marked.items():
        for part in carrying(expr, True):
            given = [e for e in children(part) if is_integer(e.type) and varied.expr(e)]
            if given and not through(part) and _name(part) != DETACHED:
                sink.error(
                    "CP0319",
                    f"a derivative passes through '{_name(part)}' of an integer, which has none",
                    span,
                    hint="use floating-point numbers, or mark what is to have no derivative as nondifferentiable",
                )


def _name(expr: core.Expr) -> str:
    match expr:
        case core.Unary(op):
            return op.value
        case core.Binary(op):
            return op.value
        case core.Math(callee):
            return callee.qualified_name
        case _:
            raise AssertionError("a derivative flows through all else")
