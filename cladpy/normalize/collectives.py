"""Warp intrinsics: shuffles, votes, matches and reductions become `core.Collective`."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.fold import cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import BOOL, INT, UINT, VOID, strip_reference
from cladpy.normalize.accesses import Places
from cladpy.normalize.ssa import SSA
from cladpy.normalize.values import Values


@dataclass(slots=True, eq=False)
class Collectives:
    ssa: SSA
    places: Places
    values: Values

    def collective(self, expr: s.Call, used: bool) -> core.Expr | None:
        callee, span = expr.callee, expr.span
        place = None
        given = expr.arguments
        if callee.name == "__match_all_sync":
            given, flag = given[:2], given[2]
            place = self.values.fixed(self.places.pointer(flag), span)
            name = "cladpy::match_all"
            callee = FunctionSymbol(
                "__match_all_sync", name, UINT, callee.parameters[:2], FunctionKind.DEVICE, callee.span, True
            )
        arguments = [
            cast(self.values.rvalue(a), strip_reference(t)) for a, t in zip(given, callee.parameters, strict=True)
        ]
        mask = arguments.pop(0) if arguments else None
        value = None
        if callee.result != VOID:
            value = core.Value(callee.name.strip("_"), strip_reference(callee.result))
        self.ssa.out.append(core.Collective(value, callee, mask, tuple(arguments), span))
        if value is None:
            return None
        if place is not None:
            agree = core.Binary(BinaryOp.NE, core.Use(value), core.Const(0, UINT), BOOL)
            self.places.write(place, cast(agree, INT), span)
        return core.Use(value)
