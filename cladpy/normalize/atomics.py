"""Atomic functions. Additions have a derivative; of the others the gradient makes none."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy import known
from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.fold import cast, unary
from cladpy.ir.surface import UnaryOp
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import Struct, strip_reference
from cladpy.known import Operation
from cladpy.normalize.accesses import Places
from cladpy.normalize.casts import Casts
from cladpy.normalize.layout import members_of
from cladpy.normalize.objects import Objects
from cladpy.normalize.places import NULL, Pointer, fitted
from cladpy.normalize.report import Report
from cladpy.normalize.ssa import SSA
from cladpy.normalize.values import Values


@dataclass(slots=True, eq=False)
class Atomics:
    report: Report
    ssa: SSA
    objects: Objects
    places: Places
    values: Values
    casts: Casts

    def atomic(self, expr: s.Call, used: bool) -> core.Expr | None:
        callee, span = expr.callee, expr.span
        if isinstance(expr.type, Struct):
            self._add_vector(expr, expr.type, used)
            return None
        place = self.places.resolved(self.places.pointer(expr.arguments[0]), span)
        operands = tuple(
            cast(self.values.rvalue(a), strip_reference(t))
            for a, t in zip(expr.arguments[1:], callee.parameters[1:], strict=True)
        )
        if used:
            given = core.Value(callee.name, callee.result)
            self._at(place, callee, operands, span, given)
            return core.Use(given)
        self.places.with_number(place, lambda p: self._at(p, callee, operands, span, None), span)
        return None

    def _at(
        self,
        place: Pointer,
        callee: FunctionSymbol,
        operands: tuple[core.Expr, ...],
        span: Span,
        given: core.Value | None,
    ) -> None:
        root, index = self._element(place, callee, span)
        operation = known.operation(callee.name)
        adds = operation in (Operation.ADD, Operation.SUB) and operands[0].type == root.element
        if not adds:
            self.ssa.out.append(core.Atomic(given, root, index, operands, callee, span))
            return
        operand = operands[0]
        if operation is Operation.SUB:
            operand = unary(UnaryOp.NEG, operand, operand.type)
        self.ssa.out.append(core.AtomicAdd(root, index, operand, callee, span, given))

    def _element(self, place: Pointer, callee: FunctionSymbol, span: Span) -> tuple[core.Root, core.Expr]:
        live = [t for t in place.targets if isinstance(t, core.Root) and t is not NULL]
        chosen = len(place.targets) > 1
        if chosen or not live or live[0].kind is core.RootKind.LOCAL or live[0].by_value:
            where, hint = ("local memory", "do the same without an atomic: no other thread has to do with it")
            if chosen:
                where, hint = ("an address chosen at run time", "call it in both branches")
            raise self.report.refuse("CP0227", f"'{callee.name}' acts on {where}", span, hint)
        return live[0], fitted(place.offset, live[0])

    def _add_vector(self, expr: s.Call, type: Struct, used: bool) -> None:
        """Numbers are added one by one, as the hardware does."""
        callee, span = expr.callee, expr.span
        if used:
            raise self.report.refuse(
                "CP0226",
                f"the value that '{callee.name}' returns depends on the order of the threads",
                span,
                "split the kernel: one that counts, and stores what it was given; one that uses that",
            )
        place = self.values.fixed(self.places.pointer(expr.arguments[0]), span)
        given = self.objects.numbers(self.objects.object_of(expr.arguments[1]), type, span)
        for leaf, member in zip(given, members_of(type), strict=True):
            number = self.objects.place_of_number(place, member, span)
            self.places.with_number(number, lambda p, of=leaf.expr: self._add(p, callee, of, span), span)  # type: ignore[misc]

    def _add(self, place: Pointer, callee: FunctionSymbol, operand: core.Expr, span: Span) -> None:
        root, index = self._element(place, callee, span)
        if root.element != operand.type:
            raise self.casts.refuse_view(root.name, span)
        self.ssa.out.append(core.AtomicAdd(root, index, operand, callee, span))
