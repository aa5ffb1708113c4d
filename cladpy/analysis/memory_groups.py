"""Memory of a host program that may be one: what is chosen between at run time, and with `may_alias` all arguments."""

from __future__ import annotations

from collections.abc import Collection

from cladpy.ir import core
from cladpy.ir.reach import memory_in, reached
from cladpy.ir.walk import statements


class Groups:
    """Sets of memory, joined where one element is in two."""

    def __init__(self) -> None:
        self._of: dict[core.Root, set[core.Root]] = {}

    def join(self, roots: Collection[core.Root]) -> None:
        together: set[core.Root] = set()
        for root in roots:
            together |= self._of.get(root, {root})
        for root in together:
            self._of[root] = together

    def of(self, roots: Collection[core.Root]) -> set[core.Root]:
        return {other for root in roots for other in self._of.get(root, {root})}


def grouped(function: core.Function, *, may_alias: bool) -> Groups:
    groups = Groups()
    for variable in function.heap:
        groups.join([root.memory for root in variable.roots])
    if may_alias:
        groups.join([c.memory for p in function.parameters for c in p.contents if isinstance(c, core.Root)])
    for statement in statements(function.body):
        if isinstance(statement, core.Call):
            for argument in statement.arguments:
                for m in memory_in(argument):
                    groups.join([root.memory for root in reached(m, function)])
    return groups
