"""What stores that are undone overwrite: a load before each, unless the element has been loaded already.

Programs have all threads store one value to one element, as `total[0] = sum`. What they overwrite is what the first of
them has stored, but for that one: so each puts back only what differs from the value that it stores.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from cladpy.analysis.races import thread_dependent
from cladpy.analysis.structure import Index
from cladpy.ir import core
from cladpy.ir.fold import binary
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import BOOL, Scalar, is_half
from cladpy.ir.walk import statements

_Element = tuple[core.Root, core.Expr]


def with_old_contents(
    function: core.Function, index: Index, undone: Collection[core.Store], again: Collection[core.Value]
) -> core.Function:
    """The function with what the stores `undone` overwrite. What is wanted `again` is kept anyway, and may stand for it
    in a branch too."""
    by_all: frozenset[core.Store] = frozenset()
    if function.symbol.kind is not FunctionKind.HOST:
        by_all = frozenset(s for s, depends in thread_dependent(function).items() if not depends)
    return replace(function, body=_Loading(index, undone, again, by_all).region(function.body, {}, {}))


@dataclass(slots=True)
class _Loading:
    index: Index
    undone: Collection[core.Store]
    again: Collection[core.Value]
    by_all: frozenset[core.Store]  # what all threads may do, for one element

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
                    out += self._undone(s, old)
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

    def _undone(self, store: core.Store, old: core.Value) -> tuple[core.Statement, ...]:
        if store not in self.by_all or not isinstance(old.type, Scalar) or is_half(old.type):
            return (replace(store, old=old),)
        first = core.Value("first", BOOL)
        differs = binary(BinaryOp.NE, core.Use(old), store.expr, BOOL)
        return core.Let(first, differs, store.span), replace(store, old=old, first=first)

    def _forget(self, statement: core.Statement, known: dict[_Element, core.Value]) -> None:
        """Drops what the statement may have stored to, and where threads meet in it everything."""
        if not known:
            return
        inside = list(statements((statement,)))
        if any(s.effects.waits.somebody or s.effects.calls or isinstance(s, core.Acquire) for s in inside):
            known.clear()
        written = {root for s in inside for root in self.index.written(s)}
        written |= {self.index.memory(s.root) for s in inside if isinstance(s, core.Allocate)}
        for element in [e for e in known if self.index.memory(e[0]) in written]:
            del known[element]
