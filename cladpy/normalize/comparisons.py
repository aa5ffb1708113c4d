"""Pointers compared with each other and with null, and their differences."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import (
    BOOL,
    INT,
    LONG,
)
from cladpy.ir.walk import subexpressions
from cladpy.normalize.accesses import Places, pointee
from cladpy.normalize.places import (
    NULL,
    Pointer,
    Target,
    converted,
    held_by,
    is_local,
    nested,
    padded,
    root_in,
    scalars_in,
    steps_of,
    unnested,
)
from cladpy.normalize.report import Report
from cladpy.normalize.ssa import FALSE, tag_in, union


@dataclass(slots=True, eq=False)
class Comparisons:
    report: Report
    places: Places

    def is_null(self, pointer: Pointer, span: Span) -> core.Expr:
        """Whether a pointer is null. One that is moved is null if it was before, since null must not be moved."""
        tests = [self._is_null_in(t, pointer.offset) for t in pointer.targets]
        if len(tests) == 1:
            return tests[0]
        assert pointer.tag is not None
        result: core.Expr = FALSE
        for i, test in enumerate(tests):
            if test == FALSE:
                continue
            if any(isinstance(e, core.OfPointer) and e.index is not None for e in subexpressions(test)):
                raise self.report.refuse(
                    "CP0210",
                    "a pointer in memory, chosen at run time, is compared with null",
                    span,
                    "compare the pointers it is chosen from",
                )
            chosen = binary(BinaryOp.EQ, pointer.tag, core.Const(i, INT), BOOL)
            result = binary(BinaryOp.OR, result, binary(BinaryOp.AND, chosen, test, BOOL), BOOL)
        return result

    @staticmethod
    def _is_null_in(target: Target, offset: core.Expr) -> core.Expr:
        """Whether a pointer to a target is null."""
        if target is NULL:
            return core.Const(True, BOOL)
        held = held_by(target)
        if held is None:
            return FALSE
        indices = padded(offset, steps_of(target))[: held.steps]
        return core.IsNull(root_in(target), BOOL, held, nested(indices) if indices else None)

    @staticmethod
    def _same_offset(a: core.Expr, b: core.Expr) -> core.Expr:
        steps = max(len(unnested(a)), len(unnested(b)))
        equal: core.Expr = core.Const(True, BOOL)
        for i, j in zip(padded(a, steps), padded(b, steps), strict=True):
            here = binary(BinaryOp.EQ, converted(i, LONG), converted(j, LONG), BOOL)
            equal = binary(BinaryOp.AND, equal, here, BOOL)
        return equal

    def pointer_comparison(self, expr: s.Binary) -> core.Expr:
        left, right = self.places.pointer(expr.left), self.places.pointer(expr.right)
        if expr.op in (BinaryOp.EQ, BinaryOp.NE) and (NULL,) in (left.targets, right.targets):
            test = self.is_null(right if left.targets == (NULL,) else left, expr.span)
            return test if expr.op is BinaryOp.EQ else unary(UnaryOp.NOT, test, BOOL)
        apart = not set(left.targets) & set(right.targets)
        if apart and expr.op in (BinaryOp.EQ, BinaryOp.NE) and (_all_local(left) or _all_local(right)):
            return FALSE if expr.op is BinaryOp.EQ else core.Const(True, BOOL)  # no other object lies there
        if apart:
            raise self.report.refuse(
                "CP0211",
                "pointers into different arrays are compared or subtracted",
                expr.span,
                "compare indices instead",
            )
        a, b = left.offset, right.offset
        if expr.op in (BinaryOp.EQ, BinaryOp.NE) and (len(left.targets) > 1 or len(right.targets) > 1):
            both = union(left.targets, right.targets)
            same = binary(BinaryOp.EQ, tag_in(left, both), tag_in(right, both), BOOL)
            equal = binary(BinaryOp.AND, same, self._same_offset(a, b), BOOL)
            return equal if expr.op is BinaryOp.EQ else unary(UnaryOp.NOT, equal, BOOL)
        # the others ask for two pointers into one array, so that the offsets say it all
        if expr.op in (BinaryOp.EQ, BinaryOp.NE) and isinstance(a, core.Nested):
            equal = self._same_offset(a, b)
            return equal if expr.op is BinaryOp.EQ else unary(UnaryOp.NOT, equal, BOOL)
        a, b = unnested(a)[-1], unnested(b)[-1]
        if a.type != b.type or expr.op is BinaryOp.SUB:
            a, b = converted(a, LONG), converted(b, LONG)
        if expr.op is not BinaryOp.SUB:
            return binary(expr.op, a, b, BOOL)
        difference = binary(BinaryOp.SUB, a, b, LONG)
        scale = scalars_in(pointee(expr.left.type)) * self.places.step_of(union(left.targets, right.targets), expr.span)
        return difference if scale == 1 else core.Binary(BinaryOp.DIV, difference, core.Const(scale, LONG), LONG)


def _all_local(pointer: Pointer) -> bool:
    return all(t is not NULL and is_local(t) for t in pointer.targets)
