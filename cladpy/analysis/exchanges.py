"""Threads that exchange values through volatile memory without waiting for each other.

Before there were masks, the lanes of a warp ran in step, and `s[t] += s[t + 8]; s[t] += s[t + 4];` was a sum. Now it is
undefined, and there is no barrier that the reverse sweep could mirror. So where a program uses volatile memory, a
thread may not load, between one barrier and the next, what another may store there: it loads elements that it stores
itself, or those that the condition around the store leaves out, as `if (t < k) s[t] += s[t + k]` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cladpy.analysis.affine import Affine, affine
from cladpy.analysis.unordered import in_order
from cladpy.diagnostics import Note, Sink, Span
from cladpy.ir import core
from cladpy.ir.names import meanings, parts
from cladpy.ir.reach import stored, touched, written
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.walk import defined, operands, statements, subexpressions

_THREAD = (BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z)
_BLOCK = (BuiltinVar.BLOCK_X, BuiltinVar.BLOCK_Y, BuiltinVar.BLOCK_Z)
_FIRST_OF_BLOCK = sorted((BuiltinVar.BLOCK_X, BuiltinVar.BLOCK_DIM_X), key=str)  # blockIdx.x * blockDim.x
_Bound = tuple[Affine, Affine]  # the first is less than the second


@dataclass(frozen=True, slots=True)
class _Access:
    """A load or store since the last barrier, under `bounds`; the index is None for those of a function that is called.
    `certain` says that whoever is here has made it, in this iteration."""

    root: core.Root
    index: Affine | None
    stores: bool
    bounds: tuple[_Bound, ...]
    span: Span
    certain: bool = True
    in_order: bool = False  # with all others that are
    own: bool = False  # no other thread of the launch has an element by this index


def check_exchanges(function: core.Function, sink: Sink) -> None:
    """Reports exchanges without a barrier."""
    _Walk(function, sink).region(function.body, (), ())


class _Walk:
    def __init__(self, function: core.Function, sink: Sink) -> None:
        every = list(statements(function.body))
        self.sink = sink
        self.lets = meanings(every)
        self.reported: set[core.Root] = set()
        self.function = function
        self.in_order = in_order(function)
        self.written = {root.memory for root in stored(function)}
        # a ticket, or what another lane has, tells threads apart as well
        self.tells_apart = any(
            isinstance(s, core.Call | core.AtomicAdd | core.Atomic)
            or (isinstance(s, core.Collective) and s.value is not None)
            for s in every
        )
        self.positions = {
            e.var
            for s in every
            for own in operands(s)
            for e in subexpressions(own)
            if isinstance(e, core.Builtin) and e.var in (*_THREAD, *_BLOCK)
        }

    def region(
        self, region: core.Region, before: tuple[_Access, ...], bounds: tuple[_Bound, ...]
    ) -> tuple[_Access, ...]:
        """What has been accessed since the last barrier, after a region that begins with `before`."""
        for s in region:
            match s:
                case core.Load(_, root, index, span):
                    before = self._access(before, root, index, False, bounds, span, s in self.in_order)
                case (
                    core.Store(root=root, index=index, span=span)
                    | core.AtomicAdd(root=root, index=index, span=span)
                    | core.Atomic(root=root, index=index, span=span)
                ):
                    before = self._access(before, root, index, True, bounds, span, s in self.in_order)
                case core.Barrier() | core.Collective(value=None):
                    before = tuple(a for a in before if a.root.outlives)  # blocks do not wait for each other
                case core.If(condition, then, other):
                    held, not_held = self._bounds(condition, True), self._bounds(condition, False)
                    arms = [
                        self.region(then, before, (*bounds, *held)),
                        self.region(other, before, (*bounds, *not_held)),
                    ]
                    both = [a for a in before if all(a in arm for arm in arms)]
                    before = (*both, *(replace(a, certain=False) for arm in arms for a in arm if a not in both))
                case core.Loop(_, first, _, body):
                    once = self.region(body, self.region(first, before, bounds), bounds)
                    inside = {v for t in statements((s,)) for v in defined(t)} | {c.value for c in s.carried}
                    again = tuple(
                        replace(a, certain=a.certain and a.index is not None and not a.index.symbols() & inside)
                        for a in once
                    )
                    before = self.region(body, self.region(first, again, bounds), bounds)
                case core.Call(span=span):
                    # what it loads and stores may be anywhere; what it stores it may have loaded from another
                    changed = {root.memory for root in written(s, self.function)}
                    for root in touched(s, self.function):
                        for stores in (False, True) if root.memory in changed else (False,):
                            before = self._access(before, root, None, stores, bounds, span)
                case _:
                    pass
        return before

    def _access(
        self,
        before: tuple[_Access, ...],
        root: core.Root,
        index: core.Expr | None,
        stores: bool,
        bounds: tuple[_Bound, ...],
        span: Span,
        in_order: bool = False,
    ) -> tuple[_Access, ...]:
        memory = root.memory
        if root.kind is core.RootKind.LOCAL or memory not in self.written:
            return before
        at = None if index is None else affine(index, self.lets)
        own = at is not None and self._is_own(at)
        here = _Access(memory, at, stores, bounds, span, in_order=in_order, own=own)
        for other in before:
            if memory not in self.reported and other.root is memory and not _is_apart(here, other):
                self._report(here, other)
        return (*before, here)

    def _is_own(self, index: Affine) -> bool:
        """Whether threads that do different things have different elements. Those that this function does not tell
        apart all do the same, so that they are as one."""
        terms = {tuple(a.var if isinstance(a, core.Builtin) else None for a in m): c for m, c in index.terms if m}
        own = terms.pop((BuiltinVar.THREAD_X,), 0)
        if self.tells_apart or not own or not self.positions <= {BuiltinVar.THREAD_X, BuiltinVar.BLOCK_X}:
            return False
        blocks = [terms.pop(m) for m in list(terms) if sorted(m, key=str) == _FIRST_OF_BLOCK]
        return not terms and (blocks == [own] or (not blocks and BuiltinVar.BLOCK_X not in self.positions))

    def _report(self, here: _Access, other: _Access) -> None:
        self.reported.add(here.root)
        what, does = ("stored", "loads from") if other.stores else ("loaded", "stores to")
        self.sink.error(
            "CP0274",
            f"a thread {does} '{here.root.name}' where another may have {what}, and nothing but volatile memory makes "
            "the two wait",
            here.span,
            notes=(Note(f"what is {what}", other.span),),
            hint="split the kernel: blocks do not wait for each other in one launch"
            if here.root.outlives
            else "let the lanes of a warp wait by __syncwarp(), or those of a block by __syncthreads(), between them",
        )

    def _bounds(self, condition: core.Expr, holds: bool) -> Iterator[_Bound]:
        """What a condition says of integers, where it holds or does not."""
        for part, so in parts(condition, holds, self.lets):
            match part:
                case core.Binary(BinaryOp.LT, left, right) if so:
                    yield affine(left, self.lets), affine(right, self.lets)
                case core.Binary(BinaryOp.GT, left, right) if so:
                    yield affine(right, self.lets), affine(left, self.lets)
                case core.Binary(BinaryOp.GE, left, right) if not so:
                    yield affine(left, self.lets), affine(right, self.lets)
                case core.Binary(BinaryOp.LE, left, right) if not so:
                    yield affine(right, self.lets), affine(left, self.lets)
                case _:
                    pass


def _is_apart(here: _Access, other: _Access) -> bool:
    """Whether the two do not meet: two loads, or what one thread does, or to elements that differ."""
    if here.stores == other.stores or (here.in_order and other.in_order):
        return True
    if here.index is None or other.index is None:
        return False
    if here.index == other.index:
        return here.own or (other.certain and (not here.root.outlives or _is_of_thread(here.index)))
    store, load = (here, other) if here.stores else (other, here)
    assert load.index is not None
    assert store.index is not None
    distance = load.index.plus(store.index, -1)
    shared = [b for b in store.bounds if b in load.bounds]
    # under t < k nobody stores s[t + k], or further up; nor does anybody load there what is stored at t
    return any(
        (store.index == left and _is_constant(distance.plus(right, -1)))
        or (
            load.index == left and _is_position(left) and _is_constant(store.index.plus(load.index, -1).plus(right, -1))
        )
        for left, right in shared
    )


def _is_constant(rest: Affine) -> bool:
    """Whether it is a number that is not negative."""
    return not rest.without_constant().terms and rest.constant() >= 0


def _is_position(index: Affine) -> bool:
    """Whether it is what numbers a thread, and not negative."""
    return index.constant() >= 0 and all(
        count > 0 and all(isinstance(atom, core.Builtin) for atom in monomial) for monomial, count in index.terms
    )


def _is_of_thread(index: Affine) -> bool:
    """Whether an index depends on the thread, so that an element is no place where all of them meet."""
    atoms = (e for monomial, _ in index.terms for atom in monomial for e in subexpressions(atom))
    return any(isinstance(e, core.Builtin) and e.var in _THREAD for e in atoms)
