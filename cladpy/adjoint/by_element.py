"""Arrays of a thread of which only some elements have an adjoint are taken apart: an element is a value like any other.

Activity is known of an array as a whole: of five results in an array one may be asked for, and the adjoints of the
others, which are zero, would be computed and added with it. Where all indices are constants, once the short loops
around are written out, the elements are looked at one by one. Only arrays that gain by it are taken apart, and only
loops that index these are written out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from cladpy.analysis.activity import Activity
from cladpy.ir import core
from cladpy.ir.fold import cast, zero
from cladpy.ir.types import BOOL
from cladpy.ir.walk import copied, map_operands, statements, substitute, touched, with_regions
from cladpy.normalize.loads import merge_loads
from cladpy.normalize.simplify import folded

# Elements of such an array, iterations that are written out, and statements that they come to.
MOST = 16
LARGEST = 512
# So many times as many elements as are spared may there be.
WORTH = 4

Element = tuple[core.Root, int]


def by_element(
    function: core.Function,
    activity: Activity,
    again: Callable[[core.Function], Activity],
    *,
    may_alias: bool,
) -> core.Function:
    """The function itself where nothing is gained. `again` looks at one that was rewritten."""
    arrays = _candidates(function, activity)
    if not arrays:
        return function
    written = _Unrolling(arrays).function(function)
    apart = _apart(written, arrays)
    if not apart:
        return function
    all_of_them = [(root, i) for root in apart for i in range(_length(root))]
    elements = {(root, i): replace(root, name=f"{root.name}_{i}", length=1) for root, i in all_of_them}
    active = again(replace(function, body=_split(written.body, elements), results=written.results)).roots
    spared = Counter(root for (root, _), element in elements.items() if element not in active)
    worth = {root for root, count in spared.items() if count < _length(root) <= WORTH * count}
    if not worth:
        return function
    return merge_loads(Values(worth).function(_Unrolling(worth).function(function)), may_alias=may_alias)


def _length(root: core.Root) -> int:
    assert root.length is not None
    return root.length


def _candidates(function: core.Function, activity: Activity) -> set[core.Root]:
    """Short arrays that are but loaded and stored."""
    local = (r for r in activity.roots if r.kind is core.RootKind.LOCAL and r.length is not None)
    found = {r for r in local if 1 < _length(r) <= MOST}
    for s in statements(function.body):
        if not isinstance(s, core.Load | core.Store | core.Allocate):
            found.difference_update(touched(s))
        if isinstance(s, core.Loop):
            found.difference_update(inner.root for inner in statements(s.before) if isinstance(inner, core.Store))
    return found


def _apart(function: core.Function, arrays: Collection[core.Root]) -> set[core.Root]:
    """Those of which each access says by a constant which element it is."""
    accesses = [s for s in statements(function.body) if isinstance(s, core.Load | core.Store) and s.root in arrays]
    return set(arrays) - {s.root for s in accesses if _element(s) is None}


def _element(s: core.Load | core.Store) -> Element | None:
    match s.index:
        case core.Const(int(value)) if 0 <= value < _length(s.root):
            return s.root, value
        case _:
            return None


# ---- loops -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Unrolling:
    """Writes out the loops of constant length without which the indices of `arrays` would be no constants."""

    arrays: Collection[core.Root]
    known: dict[core.Value, core.Expr] = field(default_factory=dict)
    room: int = LARGEST

    def function(self, function: core.Function) -> core.Function:
        body = self.region(function.body)
        results = tuple(replace(leaf, expr=self.folded(leaf.expr)) for leaf in function.results)
        return replace(function, body=body, results=results)

    def folded(self, expr: core.Expr) -> core.Expr:
        return folded(expr, self.known)

    def region(self, region: core.Region) -> core.Region:
        out: list[core.Statement] = []
        for s in region:
            match map_operands(s, self.folded):
                case core.Let(value, core.Const() as constant):
                    self.known[value] = constant
                case core.If(core.Const(taken), then, other, merges):
                    out += self.region(then if taken else other)
                    self.known.update((m.value, self.folded(m.then if taken else m.other)) for m in merges)
                case core.If(_, then, other, merges) as branch:
                    then, other = self.region(then), self.region(other)
                    merges = tuple(core.Merge(m.value, self.folded(m.then), self.folded(m.other)) for m in merges)
                    out.append(replace(branch, then=then, other=other, merges=merges))
                case core.Loop() as loop:
                    out += self._loop(loop)
                case changed:
                    out.append(changed)
        return tuple(out)

    def _loop(self, loop: core.Loop) -> core.Region:
        before, body = self.region(loop.before), self.region(loop.body)
        carried = tuple(core.Carried(c.value, c.init, self.folded(c.next), c.result) for c in loop.carried)
        loop = replace(loop, carried=carried, before=before, condition=self.folded(loop.condition), body=body)
        inside = [s for s in statements(body) if isinstance(s, core.Load | core.Store) and s.root in self.arrays]
        written = self._written_out(loop) if any(_element(s) is None for s in inside) else None
        return (loop,) if written is None else written

    def _written_out(self, loop: core.Loop) -> core.Region | None:
        plain = core.Let | core.Load | core.Store | core.AtomicAdd | core.If | core.Loop
        if loop.before or loop.lanes or loop.team or not all(isinstance(s, plain) for s in statements(loop.body)):
            return None
        out: list[core.Statement] = []
        now = {c.value: c.init for c in loop.carried}
        for _ in range(MOST + 1):
            condition = folded(loop.condition, now)
            if condition == core.Const(False, BOOL):
                self.known.update((c.result, now[c.value]) for c in loop.carried)
                return tuple(out)
            names = dict(now)
            body = copied(loop.body, names)
            self.room -= len(list(statements(body)))
            if condition != core.Const(True, BOOL) or self.room < 0:
                break
            out += self.region(body)
            for c in loop.carried:
                following = self.folded(substitute(c.next, names))
                if not isinstance(following, core.Const | core.Use):
                    named = core.Value(c.value.name, c.value.type)
                    out.append(core.Let(named, following, loop.span))
                    following = core.Use(named)
                now[c.value] = following
        return None


# ---- elements --------------------------------------------------------------------------------------------------------


def _split(region: core.Region, elements: dict[Element, core.Root]) -> core.Region:
    """With an array of one number for each element."""
    arrays = {root for root, _ in elements}
    out: list[core.Statement] = []
    for s in region:
        match s:
            case core.Allocate(root) if root in arrays:
                out += [replace(s, root=element) for (of, _), element in elements.items() if of is root]
            case core.Load(root=root) | core.Store(root=root) if root in arrays:
                element = _element(s)
                assert element is not None
                out.append(replace(s, root=elements[element], index=zero(s.index.type)))
            case _:
                out.append(with_regions(s, lambda inner: _split(inner, elements)))
    return tuple(out)


@dataclass(slots=True)
class Values:
    """Has a value in place of each element of `arrays`, as if it were a variable."""

    arrays: Collection[core.Root]
    same: dict[core.Value, core.Expr] = field(default_factory=dict)  # what loads give

    def function(self, function: core.Function) -> core.Function:
        body = self.region(function.body, {})
        results = tuple(replace(leaf, expr=self.named(leaf.expr)) for leaf in function.results)
        return replace(function, body=body, results=results)

    def named(self, expr: core.Expr) -> core.Expr:
        return substitute(expr, self.same)

    def region(self, region: core.Region, content: dict[Element, core.Expr]) -> core.Region:
        out: list[core.Statement] = []
        for s in region:
            match map_operands(s, self.named):
                case core.Allocate(root) if root in self.arrays:
                    content.update(((root, i), zero(root.element)) for i in range(_length(root)))
                case core.Load(value, root) as load if root in self.arrays:
                    self.same[value] = content[self._of(load)]
                case core.Store(root, _, expr) as store if root in self.arrays:
                    expr = cast(expr, root.element) if expr.type != root.element else expr
                    if not isinstance(expr, core.Const | core.Use):
                        value = self._value(self._of(store))
                        out.append(core.Let(value, expr, s.span))
                        expr = core.Use(value)
                    content[self._of(store)] = expr
                case core.If() as branch:
                    out.append(self._branch(branch, content))
                case core.Loop() as loop:
                    out.append(self._loop(loop, content))
                case changed:
                    out.append(changed)
        return tuple(out)

    def _of(self, s: core.Load | core.Store) -> Element:
        element = _element(s)
        assert element is not None
        return element

    def _value(self, element: Element) -> core.Value:
        root, i = element
        return core.Value(f"{root.name}_{i}", root.element)

    def _branch(self, branch: core.If, content: dict[Element, core.Expr]) -> core.If:
        taken, passed = dict(content), dict(content)
        then, other = self.region(branch.then, taken), self.region(branch.other, passed)
        merges = [core.Merge(m.value, self.named(m.then), self.named(m.other)) for m in branch.merges]
        for element in content:
            if taken[element] != passed[element]:
                merged = self._value(element)
                merges.append(core.Merge(merged, taken[element], passed[element]))
                content[element] = core.Use(merged)
            else:
                content[element] = taken[element]
        return replace(branch, then=then, other=other, merges=tuple(merges))

    def _loop(self, loop: core.Loop, content: dict[Element, core.Expr]) -> core.Loop:
        stored = [s for s in statements(loop.body) if isinstance(s, core.Store) and s.root in self.arrays]
        changed = {e: self._value(e) for e in dict.fromkeys(map(self._of, stored)) if e in content}
        inside = {**content, **{e: core.Use(v) for e, v in changed.items()}}
        before = self.region(loop.before, dict(inside))
        condition = self.named(loop.condition)
        body = self.region(loop.body, inside)
        carried = [core.Carried(c.value, c.init, self.named(c.next), c.result) for c in loop.carried]
        for element, value in changed.items():
            result = self._value(element)
            carried.append(core.Carried(value, content[element], inside[element], result))
            content[element] = core.Use(result)
        return replace(loop, carried=tuple(carried), before=before, condition=condition, body=body)
