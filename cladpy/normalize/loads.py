"""Loads that give the same value are made once: an element is then read once, and its adjoint is added to once.

A load is repeated needlessly where an earlier one of the same element always comes before it and nothing may have
stored to the memory since. What the thread itself has stored to an array of its own is not loaded at all: it is a
value, of which a gradient has nothing to keep. What a loop's condition loads, and no iteration changes, is loaded
before the loop: so it is known how often it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cladpy.ir import core, reach
from cladpy.ir.walk import begun, defined, map_operands, operands, statements, substitute, values

Key = tuple[core.Root, core.Expr]
Available = dict[Key, core.Expr]
Mapping = dict[core.Value, core.Expr]


def merge_loads(function: core.Function, *, may_alias: bool) -> core.Function:
    """The function with repeated loads replaced by the first. Distinct arguments are distinct unless `may_alias`."""
    merging = _Merging(function, may_alias)
    body = merging.region(function.body, {})
    results = tuple(replace(leaf, expr=merging.renamed(leaf.expr)) for leaf in function.results)
    return replace(function, body=_without_names(body, merging.unused()), results=results)


def _without_names(region: core.Region, unused: Mapping) -> core.Region:
    """A region with the names dropped that nothing but a store uses."""
    if not unused:
        return region
    out: list[core.Statement] = []
    for s in region:
        match s:
            case core.Let(value) if value in unused:
                continue
            case core.Store(expr=core.Use(value)) if value in unused:
                s = replace(s, expr=unused[value])
            case core.If():
                s = replace(s, then=_without_names(s.then, unused), other=_without_names(s.other, unused))
            case core.Loop():
                s = replace(s, before=_without_names(s.before, unused), body=_without_names(s.body, unused))
            case _:
                pass
        out.append(s)
    return tuple(out)


class _Merging:
    def __init__(self, function: core.Function, may_alias: bool) -> None:
        self.function = function
        self.may_alias = may_alias
        self.written_by_others = {  # what other threads may have stored when a barrier is passed
            s.root.memory
            for s in statements(function.body)
            if isinstance(s, core.WRITES) and s.root.kind is not core.RootKind.LOCAL
        }
        self.loaded = {s.root for s in statements(function.body) if isinstance(s, core.Load)}
        self.same: Mapping = {}
        self.stored: Mapping = {}  # what got a name, to be used in place of loads

    def region(self, region: core.Region, available: Available) -> core.Region:
        out: list[core.Statement] = []
        for statement in region:
            match statement:
                case core.Load(value, root, index):
                    index = self.renamed(index)
                    known = available.get((root, index))
                    if known is not None:
                        self.same[value] = known
                        continue
                    available[(root, index)] = core.Use(value)
                    out.append(replace(statement, index=index))
                case core.If(condition, then, other, merges, span):
                    condition = self.renamed(condition)
                    then = self.region(then, dict(available))
                    other = self.region(other, dict(available))
                    merges = tuple(core.Merge(m.value, self.renamed(m.then), self.renamed(m.other)) for m in merges)
                    self.forget((*then, *other), available)
                    out.append(core.If(condition, then, other, merges, span))
                case core.Loop():
                    inside = (*statement.before, *statement.body)
                    self.forget(inside, available)
                    fixed, before = self.apart(statement)
                    out += self.region(fixed, available)
                    before = self.region(before, dict(available))
                    body = self.region(statement.body, dict(available))
                    carried = tuple(
                        core.Carried(c.value, self.renamed(c.init), self.renamed(c.next), c.result)
                        for c in statement.carried
                    )
                    loop = map_operands(statement, self.renamed)
                    out.append(replace(loop, carried=carried, before=before, body=body))
                case core.Store(root, index, expr, span) if self.is_own(root, expr):
                    index, expr = self.renamed(index), self.renamed(expr)
                    if not isinstance(expr, core.Use | core.Const):
                        stored = core.Value(root.name, root.element)
                        self.stored[stored] = expr
                        out.append(core.Let(stored, expr, span))
                        expr = core.Use(stored)
                    out.append(replace(statement, index=index, expr=expr))
                    self.forget((statement,), available)
                    available[(root, index)] = expr
                case _:
                    out.append(map_operands(statement, self.renamed) if self.same else statement)
                    self.forget((statement,), available)
        return tuple(out)

    def apart(self, loop: core.Loop) -> tuple[core.Region, core.Region]:
        """What comes before a loop's condition, in two parts: what is the same in every iteration, and the rest."""
        inside = (*loop.before, *loop.body)
        changed = self.changed(inside)
        changing = {v for s in statements(inside) for v in defined(s)}.union(begun(loop))
        fixed: list[core.Statement] = []
        rest: list[core.Statement] = []
        for s in loop.before:
            parts = list(statements((s,)))
            own = {v for t in parts for v in defined(t)}
            used = {v for t in parts for e in operands(t) for v in values(e)}
            loaded = (t.root for t in parts if isinstance(t, core.Load))
            plain = all(isinstance(t, core.Let | core.Load | core.If) for t in parts)
            if plain and changing.isdisjoint(used - own) and not any(map(changed, loaded)):
                fixed.append(s)
                changing -= own
            else:
                rest.append(s)
        return tuple(fixed), tuple(rest)

    def unused(self) -> Mapping:
        """The names that no load was replaced by."""
        used = {v for expr in self.same.values() for v in values(expr)}
        return {v: expr for v, expr in self.stored.items() if v not in used}

    def is_own(self, root: core.Root, expr: core.Expr) -> bool:
        """Whether what is stored to memory is in it as it was, and nobody else stores there."""
        return root.kind is core.RootKind.LOCAL and expr.type == root.element and root in self.loaded

    def renamed(self, expr: core.Expr) -> core.Expr:
        return substitute(expr, self.same)

    def forget(self, region: core.Region, available: Available) -> None:
        """Drops what the statements may have stored to."""
        changed = self.changed(region)
        for key in [k for k in available if changed(k[0])]:
            del available[key]

    def changed(self, region: core.Region) -> Callable[[core.Root], bool]:
        """Whether the statements may store to some memory, or others while these wait."""
        written = {s.root.memory for s in statements(region) if isinstance(s, core.WRITES | core.Allocate)}
        if any(s.effects.waits.somebody for s in statements(region)):
            written |= self.written_by_others
        for s in statements(region):
            if isinstance(s, core.Call):
                written.update(root.memory for root in reach.written(s, self.function))
            elif isinstance(s, core.Acquire):
                written.update(r for v in self.function.heap if v.symbol is s.allocation for r in v.roots)
        aliased = self.may_alias and any(r.outlives for r in written)
        return lambda root: root.memory in written or (aliased and root.outlives)
