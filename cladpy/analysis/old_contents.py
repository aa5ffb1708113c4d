"""What stores that are undone overwrite: a load before each, unless the element has been loaded already."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from cladpy.analysis.structure import Index
from cladpy.ir import core
from cladpy.ir.walk import statements

_Element = tuple[core.Root, core.Expr]


def with_old_contents(
    function: core.Function, index: Index, undone: Collection[core.Store], again: Collection[core.Value]
) -> core.Function:
    """The function with what the stores `undone` overwrite. What is wanted `again` is kept anyway, and may stand for it
    in a branch too."""
    return replace(function, body=_Loading(index, undone, again).region(function.body, {}, {}))


@dataclass(slots=True)
class _Loading:
    index: Index
    undone: Collection[core.Store]
    again: Collection[core.Value]

    def region(
        self, region: core.Region, outside: dict[_Element, core.Value], own: dict[_Element, core.Value]
    ) -> core.Region:
        """`outside` and `own` are what holds the contents of elements, by loads around the region and in it."""
        out: list[core.Statement] = []
        for s in region:
            match s:
                case core.Load(value, root, index):
                    own[root, index] = value
                    out.append(s)
                    continue
                case core.Store(root, index, span=span) if s in self.undone:
                    old = own.get((root, index)) or outside.get((root, index))
                    if old is None:
                        old = core.Value(f"{root.name}_old", root.element)
                        out.append(core.Load(old, root, index, span))
                    out.append(replace(s, old=old))
                case core.If(then=then, other=other):
                    wanted = outside | {e: v for e, v in own.items() if v in self.again}
                    then, other = (self.region(arm, dict(wanted), {}) for arm in (then, other))
                    out.append(replace(s, then=then, other=other))
                case core.Loop(body=body):
                    out.append(replace(s, body=self.region(body, {}, {})))
                case _:
                    out.append(s)
            self._forget(s, outside)
            self._forget(s, own)
        return tuple(out)

    def _forget(self, statement: core.Statement, known: dict[_Element, core.Value]) -> None:
        """Drops what the statement may have stored to, and where threads meet in it everything."""
        if not known:
            return
        inside = list(statements((statement,)))
        if any(isinstance(s, core.Barrier | core.Collective | core.Call | core.Acquire) for s in inside):
            known.clear()
        written = {root for s in inside for root in self.index.written(s)}
        written |= {self.index.memory(s.root) for s in inside if isinstance(s, core.Allocate)}
        for element in [e for e in known if self.index.memory(e[0]) in written]:
            del known[element]
