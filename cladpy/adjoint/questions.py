"""What a gradient has to know of its primal, and of the functions that this calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.adjoint.steps import is_launch
from cladpy.analysis.dimensions import INDICES, PLANES
from cladpy.ir import core, surface_walk
from cladpy.ir import surface as s
from cladpy.ir.reach import names_of, touched
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import Pointer, Reference, Struct, Type, holds_pointers
from cladpy.ir.walk import operands, statements, subexpressions
from cladpy.normalize import Policy

if TYPE_CHECKING:
    from cladpy.adjoint.prepare import Prepared

BLOCK = frozenset(
    {
        BuiltinVar.BLOCK_X, BuiltinVar.BLOCK_Y, BuiltinVar.BLOCK_Z,
        BuiltinVar.GRID_DIM_X, BuiltinVar.GRID_DIM_Y, BuiltinVar.GRID_DIM_Z,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Questions:
    program: s.Program
    policy: Policy

    def asks_for_block(self, prepared: Prepared) -> bool:
        """Whether what the kernel calls may ask which block it is run by."""
        calls = (s.callee for s in statements(prepared.function.body) if isinstance(s, core.Call))
        return any(self.policy.is_custom(c) or self.callee_reads(c, BLOCK) for c in calls)

    def reads(self, function: core.Function, variables: frozenset[BuiltinVar]) -> bool:
        """Whether the function, or one that it calls, asks for one of the built-in variables."""
        for statement in statements(function.body):
            for expr in operands(statement):
                if any(isinstance(e, core.Builtin) and e.var in variables for e in subexpressions(expr)):
                    return True
            if isinstance(statement, core.Call) and self.callee_reads(statement.callee, variables):
                return True
        return False

    def unread(self, function: core.Function) -> frozenset[BuiltinVar]:
        """The extents along y and z that the function asks for neither, nor for the index that they count."""
        return frozenset(
            extent
            for index, extent in INDICES.items()
            if extent in PLANES and not self.reads(function, frozenset({index, extent}))
        )

    def waits(self, function: core.Function) -> bool:
        """Whether host code and kernels work on the same memory, so that one has to wait for the other, or the caller
        gives streams."""
        every = list(statements(function.body))
        if any(isinstance(s, core.Call) and s.launch is not None and s.launch.stream is not None for s in every):
            return True
        calls = [s for s in every if isinstance(s, core.Call) and (is_launch(s) or s.custom)]
        on_device = [c for c in calls if is_launch(c) or self.policy.works_on_device(c.callee)]
        own = {s.root for s in every if isinstance(s, core.Load | core.Store)}
        own |= {root for c in calls if c not in on_device for root in touched(c, function)}
        return any(not own.isdisjoint(touched(c, function)) for c in on_device)

    def given_to_device(self, function: core.Function) -> frozenset[str]:
        """The parameters that lead to memory which kernels, or libraries of the device, are given; of one that leads to
        an object with pointers, those of its members that do."""
        calls = (s for s in statements(function.body) if isinstance(s, core.Call))
        roots = (
            root
            for c in calls
            if is_launch(c) or (c.custom and self.policy.works_on_device(c.callee))
            for root in touched(c, function)
        )
        names: set[str] = set()
        for root in roots:
            if root.position is not None:
                owner = function.parameters[root.position]
                names |= names_of(function, [root]) if _leads_to_pointers(owner.type) else {owner.name}
        return frozenset(names)

    def callee_reads(self, callee: FunctionSymbol, variables: frozenset[BuiltinVar]) -> bool:
        if callee not in self.program.functions:
            return False
        return any(
            isinstance(e, s.Builtin) and e.var in variables
            for f in (callee, *self.policy.reachable(callee))
            for expr in surface_walk.expressions(self.program.functions[f].body)
            for e in surface_walk.walk(expr)
        )


def _leads_to_pointers(type: Type) -> bool:
    """Whether a parameter leads to objects that lead further."""
    of = type.pointee if isinstance(type, Pointer) else type.referee if isinstance(type, Reference) else type
    return isinstance(type, Pointer | Reference) and isinstance(of, Struct) and holds_pointers(of)
