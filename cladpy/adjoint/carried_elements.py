"""Elements of shared memory that a loop works on in each iteration are carried by it.

    for (int c = t; c < n; c += blockDim.x) s[t] += x[c];        for (...) sum += x[c];      with sum = s[t] before,
                                                                                             and s[t] = sum after
Sums and extrema are seen to be such then, and nothing is kept, or taken from shared memory and given back, for an
iteration. No other thread has to do with the element meanwhile: in a loop in which nobody waits it would race.

What is loaded before the loop must be there: the loop comes to the element in each iteration, or a part of the program
to which the same threads come does. Where it need not come to it, a flag says whether it did.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from cladpy.adjoint.by_element import Element, Values
from cladpy.analysis.affine import Affine, affine, led_by
from cladpy.analysis.races import thread_dependent
from cladpy.analysis.reasons import Path
from cladpy.analysis.steady import are_apart
from cladpy.analysis.twins import Twins
from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.fold import zero
from cladpy.ir.names import written_out
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import BOOL, LONG
from cladpy.ir.walk import begun, defined, regions, statements, substitute, values, with_regions

Target = tuple[core.Root, Affine]
FIRST = core.Const(0, LONG)
_PLAIN = core.Let | core.Load | core.Store | core.If | core.Loop


def with_carried_elements(function: core.Function) -> core.Function:
    """The function itself where it has none."""
    shared = [s.root for s in statements(function.body) if isinstance(s, core.Load) and _is_shared(s.root)]
    if not shared or function.symbol.kind is not FunctionKind.KERNEL:
        return function
    carrying = _Carrying(function)
    body = carrying.region(function.body)
    return replace(function, body=body) if carrying.found else function


def _is_shared(root: core.Root) -> bool:
    return root.kind is core.RootKind.SHARED


@dataclass(slots=True)
class _Carrying:
    function: core.Function
    found: bool = False
    lets: dict[core.Value, core.Expr] = field(init=False)
    own: dict[core.Store, bool] = field(init=False)  # the stores that one thread makes to an element
    places: dict[Target, set[Path]] = field(init=False, default_factory=lambda: defaultdict(set))
    paths: dict[core.Loop, Path] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.lets = {s.value: s.expr for s in statements(self.function.body) if isinstance(s, core.Let)}
        self.own = thread_dependent(self.function)
        self._look(self.function.body, (), Twins(self.lets), itertools.count())

    def _look(self, region: core.Region, path: Path, twins: Twins, counter: Iterator[int]) -> None:
        """Where the program comes to an element: a region to which the same threads come has one path."""
        for s in region:
            if isinstance(s, core.Load | core.Store) and _is_shared(s.root):
                self.places[self._target(s)].add(path)
            elif isinstance(s, core.Loop):
                self.paths[s] = path
            for number, inner in enumerate(regions(s)):
                own = next(counter)
                arm = twins.arm(s, number, path, own) if isinstance(s, core.If) else own
                self._look(inner, (*path, arm), twins, counter)

    def _target(self, s: core.Load | core.Store) -> Target:
        return s.root, affine(s.index, self.lets)

    def region(self, region: core.Region) -> core.Region:
        out: list[core.Statement] = []
        for s in region:
            inside = with_regions(s, self.region)
            if isinstance(s, core.Loop) and isinstance(inside, core.Loop):
                out += self._carried(inside, self.paths[s])
            else:
                out.append(inside)
        return tuple(out)

    def _carried(self, loop: core.Loop, path: Path) -> core.Region:
        """A loop with what is loaded before it, and stored after it."""
        inside = list(statements((loop,)))
        if any(not isinstance(s, _PLAIN) or (isinstance(s, core.Loop) and _is_other(s)) for s in inside):
            return (loop,)
        accesses: dict[Target, list[core.Load | core.Store]] = defaultdict(list)
        for s in inside:
            if isinstance(s, core.Load | core.Store) and _is_shared(s.root):
                accesses[self._target(s)].append(s)
        made = {v for s in inside for v in (*defined(s), *begun(s))}
        names = {v: e for v, e in self.lets.items() if v in made}
        first = substitute(loop.condition, {c.value: c.init for c in loop.carried})
        carried: dict[core.Statement, _Element] = {}
        for target, mine in accesses.items():
            index = written_out(mine[0].index, names.get)
            always = not set(loop.body).isdisjoint(mine)
            there = always or any(path[: len(p)] == p for p in self.places[target])
            if index is not None and made.isdisjoint(values(index)) and there and self._is_own(target, accesses):
                carried.update(dict.fromkeys(mine, _Element.of(mine[0], index, always)))
        if not carried:
            return (loop,)
        self.found = True
        every = list(dict.fromkeys(carried.values()))
        content = {at: e for element in every for at, e in element.content.items()}
        loop = replace(loop, body=_replaced(loop.body, carried))
        (done,) = Values({root for root, _ in content}).region((loop,), content)
        assert isinstance(done, core.Loop)
        before = [element.loaded(first, loop.span) for element in every]
        after = [element.stored(first, content, loop.span) for element in every]
        self.own.update((s, True) for s in statements(tuple(after)) if isinstance(s, core.Store))
        return (*before, replace(done, body=_chosen(done.body)), *after)

    def _is_own(self, target: Target, accesses: Mapping[Target, list[core.Load | core.Store]]) -> bool:
        """Whether a thread loads an element of its own and stores to it, and nothing else in the loop is there."""
        mine = accesses[target]
        stores = [s for s in mine if isinstance(s, core.Store)]
        if not 0 < len(stores) < len(mine) or any(led_by(s.index) for s in mine):
            return False
        others = [other for other in accesses if other is not target and other[0].memory is target[0].memory]
        apart = all(other[0] is target[0] and are_apart(other[1], target[1]) for other in others)
        return apart and all(self.own[s] for s in stores)


@dataclass(frozen=True, slots=True, eq=False)
class _Element:
    """An element that a loop carries as if it were `held`, an array of one; `met` says whether the loop has come there,
    where it need not."""

    load: core.Load
    start: core.Value
    held: core.Root
    met: core.Root | None

    @staticmethod
    def of(access: core.Load | core.Store, index: core.Expr, always: bool) -> _Element:
        root, span = access.root, access.span
        found, start = (core.Value(f"{root.name}_i", root.element) for _ in range(2))
        held, met = (
            core.Root(name, of, core.RootKind.LOCAL, span, 1) for name, of in ((root.name, root.element), ("met", BOOL))
        )
        return _Element(core.Load(found, root, index, span), start, held, None if always else met)

    @property
    def content(self) -> dict[Element, core.Expr]:
        """What stands for it before the loop."""
        met: dict[Element, core.Expr] = {} if self.met is None else {(self.met, 0): core.Const(False, BOOL)}
        return {(self.held, 0): core.Use(self.start), **met}

    def loaded(self, condition: core.Expr, span: Span) -> core.If:
        merge = core.Merge(self.start, core.Use(self.load.value), zero(self.start.type))
        return core.If(condition, (self.load,), (), (merge,), span)

    def stored(self, condition: core.Expr, content: Mapping[Element, core.Expr], span: Span) -> core.If:
        store = core.Store(self.load.root, self.load.index, content[self.held, 0], span)
        return core.If(condition if self.met is None else content[self.met, 0], (store,), (), (), span)


def _replaced(region: core.Region, carried: Mapping[core.Statement, _Element]) -> core.Region:
    out: list[core.Statement] = []
    for s in region:
        if isinstance(s, core.Load | core.Store) and s in carried:
            element = carried[s]
            if element.met is not None:
                out.append(core.Store(element.met, FIRST, core.Const(True, BOOL), s.span))
            out.append(replace(s, root=element.held, index=FIRST))
        else:
            out.append(with_regions(s, lambda inner: _replaced(inner, carried)))
    return tuple(out)


def _is_other(loop: core.Loop) -> bool:
    return bool(loop.before) or loop.lanes is not None or loop.team is not None


def _chosen(region: core.Region) -> core.Region:
    """With a selection for what a branch merges that does nothing else."""
    out: list[core.Statement] = []
    for s in region:
        s = with_regions(s, _chosen)
        if isinstance(s, core.If) and not s.then and not s.other:
            out += (
                core.Let(m.value, core.Select(s.condition, m.then, m.other, m.value.type), s.span) for m in s.merges
            )
        else:
            out.append(s)
    return tuple(out)
