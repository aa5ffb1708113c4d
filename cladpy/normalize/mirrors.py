"""Mirrors of Kokkos' views: one memory with the view where loops run on the host, and memory of their own elsewhere.

They are read as memory of their own, which begins as a copy of the view's. So a program does the same in both cases if,
whenever it looks at one of the two or changes it, the other one has not been changed since they were the same: at the
beginning, and after each copy of the whole. What does not keep to that is refused: it would be differentiated as what
it does on a device, and is compiled for a host as something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import cast

from cladpy.diagnostics import Sink, Span
from cladpy.ir import core, host
from cladpy.ir.reach import stored, touched, written
from cladpy.ir.walk import map_children, statements, subexpressions

_MADE, _BEFORE = 0, 1  # when it is said: a mirror has been made, or a copy comes; else the copy has been made
_SAME, _FIRST, _SECOND = 0, 1, 2  # which of two has been changed since they were the same
_Pair = tuple[core.Root, core.Root]  # a mirror, and what it is one of
_States = dict[_Pair, frozenset[int]]


def checked_mirrors(function: core.Function, sink: Sink) -> core.Function:
    """The function without what says of its mirrors when they are the same. Refuses what relies on two memories, or on
    one."""
    if not any(_is_said(s) for s in statements(function.body)):
        return function
    mirrors = _Mirrors(function, sink, _named(function))
    for (_, view), states in mirrors.after(function.body, {}).items():
        if _FIRST in states and view.outlives:
            mirrors.refuse("what is changed in a mirror is not copied back", mirrors.changed.get(view, function.span))
    return replace(function, body=_without(function.body))


def _named(function: core.Function) -> dict[core.Value, core.Expr]:
    """What values are made of; what is loaded once more from memory that stays as it is, is what was loaded first."""
    changed = stored(function)
    first: dict[tuple[core.Root, core.Expr], core.Expr] = {}
    found: dict[core.Value, core.Expr] = {}
    for s in statements(function.body):
        if isinstance(s, core.Let):
            found[s.value] = s.expr
        elif isinstance(s, core.Load) and s.root not in changed:
            known = first.setdefault((s.root, s.index), core.Use(s.value))
            if known != core.Use(s.value):
                found[s.value] = known
    return found


def _is_said(s: core.Statement) -> bool:
    return isinstance(s, core.Call) and s.callee is host.MIRRORS


def _without(region: core.Region) -> core.Region:
    done: list[core.Statement] = []
    for s in region:
        if isinstance(s, core.If):
            s = replace(s, then=_without(s.then), other=_without(s.other))
        elif isinstance(s, core.Loop):
            s = replace(s, before=_without(s.before), body=_without(s.body))
        if not _is_said(s):
            done.append(s)
    return tuple(done)


@dataclass(slots=True)
class _Mirrors:
    function: core.Function
    sink: Sink
    lets: dict[core.Value, core.Expr]
    counts: dict[_Pair, core.Expr] = field(default_factory=dict)  # of their elements
    changed: dict[core.Root, Span] = field(default_factory=dict)  # where the other one of a pair was
    refused: set[Span] = field(default_factory=set)

    def after(self, region: core.Region, states: _States) -> _States:
        for s in region:
            match s:
                case core.If(then=then, other=other):
                    states = _either(self.after(then, states), self.after(other, states))
                case core.Loop(before=before, body=body):
                    while (more := _either(states, self.after((*before, *body), states))) != states:
                        states = more
                    states = self.after(before, states)
                case core.Call() if _is_said(s):
                    states = self._said(s, states)
                case _:
                    states = self._used(s, states)
        return states

    def _said(self, call: core.Call, states: _States) -> _States:
        one, other, elements, when = call.arguments
        assert isinstance(one, core.MEMORY) and isinstance(other, core.MEMORY) and isinstance(when, core.Const)
        count = self._plain(cast(core.Expr, elements))
        pairs = [(a.root, b.root) for a in _places(one) for b in _places(other)]
        if when.value == _MADE:
            self.counts.update(dict.fromkeys(pairs, count))
            return states | {pair: frozenset({_SAME}) for pair in pairs}
        if when.value == _BEFORE:
            states = self._looked_at((b.root for b in _places(other)), call.span, states)
        whole = len(pairs) == 1 and all(_is_zero(p.offset) for memory in (one, other) for p in _places(memory))
        same = [p for a, b in pairs for p in ((a, b), (b, a)) if p in states and self.counts[p] == count]
        return states | {pair: frozenset({_SAME}) for pair in same if whole}

    def _used(self, s: core.Statement, states: _States) -> _States:
        changed = [root.memory for root in written(s, self.function)]
        looked = [s.root.memory] if isinstance(s, core.Load) else changed
        if isinstance(s, core.Call):
            looked = [root.memory for root in touched(s, self.function)]
        span = s.span if isinstance(s, core.Load | core.WRITES | core.Call) else self.function.span
        states = self._looked_at(looked, span, states)
        for mirror, view in states:
            if mirror in changed or view in changed:
                self.changed[view if mirror in changed else mirror] = span
                states = states | {(mirror, view): frozenset({_FIRST if mirror in changed else _SECOND})}
        return states

    def _looked_at(self, roots: Iterable[core.Root], span: Span, states: _States) -> _States:
        for root in roots:
            for pair, found in states.items():
                if (root is pair[0] and _SECOND in found) or (root is pair[1] and _FIRST in found):
                    self.refuse("a mirror and its view are not the same here, of which one is used", span)
                    states = states | {pair: frozenset({_SAME})}
        return states

    def refuse(self, what: str, span: Span) -> None:
        if span not in self.refused:
            self.refused.add(span)
            hint = "deep_copy before; what is to be memory of its own everywhere comes from create_mirror"
            said = "where loops run on the host the two are one memory, and elsewhere two"
            self.sink.error("CP0532", f"{what}: {said}", span, hint=hint)

    def _plain(self, expr: core.Expr) -> core.Expr:
        """A number of elements, whatever it has been called and converted to."""
        match expr:
            case core.Use(value) if value in self.lets:
                return self._plain(self.lets[value])
            case core.Cast(operand):
                return self._plain(operand)
            case _:
                return map_children(expr, self._plain)


def _places(memory: core.MEMORY) -> Iterator[core.PointerArgument]:
    yield from memory.alternatives if isinstance(memory, core.ChosenArgument) else (memory,)


def _is_zero(offset: core.Expr) -> bool:
    return all(
        e.value == 0 if isinstance(e, core.Const) else isinstance(e, core.Nested) for e in subexpressions(offset)
    )


def _either(a: _States, b: _States) -> _States:
    return {pair: a.get(pair, frozenset()) | b.get(pair, frozenset()) for pair in (*a, *b)}
