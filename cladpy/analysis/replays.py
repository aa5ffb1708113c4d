"""What steps of a host program depend on that is no step: under a budget of copies they are made again, and must do
the same.

Memory that host code stores to, element by element, holds other things by then. Where kernels see it, no step from
before such a store is made again together with one from after it. Where only copies do, they keep what they copied.
"""

from __future__ import annotations

from dataclasses import dataclass

from cladpy import known
from cladpy.analysis.memory_groups import grouped
from cladpy.analysis.to_be_recorded import Needs
from cladpy.ir import core
from cladpy.ir.host import STEPS
from cladpy.ir.reach import memory_in, reached, touched, written
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.walk import statements


@dataclass(frozen=True, slots=True)
class Replays:
    """Memory that host code stores to: what kernels are given of it, and the rest."""

    seen: frozenset[core.Root]
    unseen: frozenset[core.Root]

    def by_host(self, argument: core.Argument, function: core.Function) -> bool:
        """Whether an argument of a step is memory that only host code and copies touch."""
        return any(
            root.kind is core.RootKind.LOCAL or root.memory in self.unseen
            for m in memory_in(argument)
            for root in reached(m, function)
        )

    def is_seen(self, statement: core.Store | core.Call, function: core.Function) -> bool:
        """Whether a kernel may see what is stored here."""
        roots = [statement.root] if isinstance(statement, core.Store) else written(statement, function)
        return any(root.memory in self.seen for root in roots)


def find_replays(function: core.Function, needs: Needs, *, may_alias: bool) -> Replays:
    """What host code stores to, with all that may be the same memory."""
    groups = grouped(function, may_alias=may_alias)
    stores: set[core.Root] = set()
    launched: set[core.Root] = set()
    for statement in statements(function.body):
        match statement:
            case core.Store(root=root) if statement in needs.stores:
                stores.add(root.memory)
            case core.Call():
                if statement.callee.kind is FunctionKind.KERNEL or statement.custom:
                    launched.update(root.memory for root in touched(statement, function))
                elif statement.callee not in STEPS:
                    stores.update(root.memory for root in written(statement, function))
            case _:
                pass
    seen = groups.of(stores) & groups.of(launched)
    return Replays(frozenset(seen), frozenset(groups.of(stores) - seen))


def is_repeatable(kernel: core.Function) -> bool:
    """Whether a kernel that is launched again on the same memory does the same again, up to the rounding of sums, and
    nobody notices."""
    for statement in statements(kernel.body):
        match statement:
            case core.Effect():
                return False
            case core.AtomicAdd(value=value) if value is not None:
                return False
            case core.Atomic(value=value) if value is not None:
                return False
            case core.Atomic(callee=callee) | core.Call(callee=callee) | core.Collective(callee=callee):
                if _differs(known.of(callee.name)):
                    return False
            case _:
                pass
    return True


def _differs(function: known.Known | None) -> bool:
    """Whether a function may do something else when it is run again."""
    match function:
        case known.Clock():
            return True
        case known.Atomic():
            return function.last_wins
        case known.Collective(repeatable=repeatable):
            return not repeatable
        case _:
            return False
