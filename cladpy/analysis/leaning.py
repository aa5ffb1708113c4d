"""Memory that lanes exchange on both sides of a shuffle or a vote, with no barrier but the meeting.

`s[l] = v; o = __shfl_sync(mask, v, 0); w = s[31 - l];` works on the devices that there are: the lanes meet in the
shuffle, and find what the others have stored. By the rules a shuffle orders no memory, and the reverse sweep has none
at that place that would: what it adds to the adjoint of `s` and where it reads that are in no order. So the lanes wait
there, by `__syncwarp`, in both sweeps (SEMANTICS 22)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cladpy.analysis.affine import Affine, affine
from cladpy.ir import core
from cladpy.ir.reach import touched, written
from cladpy.ir.symbols import SYNCWARP
from cladpy.ir.walk import statements, with_regions


@dataclass(frozen=True, slots=True)
class _Access:
    """A load or store of shared memory since the last barrier, and the meeting of lanes that came last since then."""

    root: core.Root
    index: Affine | None  # None for those of a function that is called
    stores: bool
    met: core.Collective | None = None


def with_waits(function: core.Function) -> core.Function:
    """The function with a `__syncwarp` behind each meeting of lanes that orders what they exchange; the function itself
    where there is none."""
    walk = _Walk(function)
    walk.region(function.body, frozenset())
    if not walk.leant_on:
        return function
    return replace(function, body=_waiting(function.body, walk.leant_on))


class _Walk:
    def __init__(self, function: core.Function) -> None:
        self.function = function
        self.lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
        self.leant_on: set[core.Collective] = set()

    def region(self, region: core.Region, before: frozenset[_Access]) -> frozenset[_Access]:
        """What has been accessed since the last barrier, after a region that begins with `before`."""
        for s in region:
            match s:
                case core.Load(_, root, index):
                    before = self._access(before, root, affine(index, self.lets), False)
                case (
                    core.Store(root=root, index=index)
                    | core.AtomicAdd(root=root, index=index)
                    | core.Atomic(root=root, index=index)
                ):
                    before = self._access(before, root, affine(index, self.lets), True)
                case core.Barrier() | core.Collective(value=None):
                    before = frozenset()
                case core.Collective(mask=mask) if mask is not None:
                    before = frozenset(replace(a, met=s) for a in before)
                case core.If(then=then, other=other):
                    before = self.region(then, before) | self.region(other, before)
                case core.Loop(before=first, body=body):
                    for _ in range(2):
                        before |= self.region(body, self.region(first, before))
                case core.Call():
                    changed = {root.memory for root in written(s, self.function)}
                    for root in touched(s, self.function):
                        before = self._access(before, root, None, root.memory in changed)
                case _:
                    pass
        return before

    def _access(
        self, before: frozenset[_Access], root: core.Root, index: Affine | None, stores: bool
    ) -> frozenset[_Access]:
        if root.kind is not core.RootKind.SHARED:
            return before
        for a in before:
            own = index is not None and a.index == index  # the thread's own element, or one that is a race anyway
            if a.met is not None and a.root.memory is root.memory and (stores or a.stores) and not own:
                self.leant_on.add(a.met)
        return before | {_Access(root, index, stores)}


def _waiting(region: core.Region, leant_on: Iterable[core.Collective]) -> core.Region:
    out: list[core.Statement] = []
    for s in region:
        match s:
            case core.Collective(mask=mask) if s in leant_on:
                out += (s, core.Collective(None, SYNCWARP, mask, (), s.span))
            case _:
                out.append(with_regions(s, lambda inner: _waiting(inner, leant_on)))
    return tuple(out)
