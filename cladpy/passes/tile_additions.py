"""What threads of a block add to tiles in shared memory between two barriers, as far as it can be summed by others:
where each addition stands, which places of the tile it is for (`shifted.py`), and what a thread needs to make it in the
place of another: statements that are run again, numbers that are told, and what was taken from another tile and is read
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from cladpy.analysis.extents import range_of
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, defined, expressions, inner_blocks, touched_roots
from cladpy.ir.effects import Memory, Waits
from cladpy.ir.flow import constants, written
from cladpy.ir.halves import adjoint_value
from cladpy.ir.names import written_out
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.types import Scalar, is_half, is_integer, size_of
from cladpy.ir.walk import subexpressions, values
from cladpy.passes.shifted import THREADS, Hull, Shifted, asked, shifted, taken_once

_MOST_SHIFTED = 128  # how far away a thread reads
_MOST_TOLD = 12  # numbers of a thread's, for one sum
_STRAIGHT = code.Define | code.Assign | code.Add | code.Take
Path = tuple[tuple[code.Block, int], ...]  # blocks from the outermost on, and where in each


@dataclass(frozen=True, slots=True, eq=False)
class Addition:
    """A sum's part: where it stands, which statements of the loops around it are run again for it, and what the thread
    that adds has to tell, by the block in which it is known."""

    statement: code.AddElement
    path: Path
    place: Shifted
    counts: Mapping[core.Value, int]  # of loops: the most that a thread comes to
    lengths: Mapping[core.Value, core.Expr]  # where it is not the same for all
    again: frozenset[code.Statement]
    told: Mapping[core.Value, code.Block]

    @property
    def key(self) -> tuple[object, ...]:
        return tuple(id(b) for b, _ in self.path), self.place.shifts


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is gathered before a barrier: the hull of the places for each memory."""

    barrier: code.Synchronize
    additions: tuple[Addition, ...]
    hulls: Mapping[core.Root, Hull]
    segment: Segment

    @property
    def reread(self) -> dict[code.Take, None]:
        """What is read where it was taken, so that it may not be zero before all have read it."""
        again = {s for a in self.additions for s in a.again}
        return {s: None for s in self.segment.paths if isinstance(s, code.Take) and s in again}

    @property
    def told(self) -> dict[core.Value, code.Block]:
        return {v: b for a in self.additions for v, b in a.told.items()}

    @property
    def bytes(self) -> int:
        """Of shared memory that a thread takes."""
        return sum(size_of(v.type) for v in self.told)

    @property
    def bound(self) -> int:
        """Threads whose places may all be in the tile."""
        return min((root.length or 0) // abs(hull.strides[0][1]) for root, hull in self.hulls.items())


class Kernel:
    """What holds in all of the body."""

    def __init__(self, block: code.Block) -> None:
        every = list(all_statements(block))
        self.known = constants(every)
        self.counts = {s.variable: s.count for s in every if isinstance(s, code.CountDown) and s.mask is None}
        self.loaded = {
            s.variable: s.init
            for s in every
            if isinstance(s, code.Define) and not s.mutable and isinstance(s.init, code.Element)
        }
        self.defined = {v for s in every for v in defined(s)}
        self.asked = {t for s in every for x in expressions(s) for t in asked(x)}
        changing = [s for s in every if s.effects.writes is not Memory.NONE or s.effects.calls]
        self.calls = any(s.effects.writes is Memory.ANY or s.effects.calls for s in changing)
        self.changed = {(r.memory, adjoint) for s in changing for r, adjoint in touched_roots(s)}
        self.same: dict[core.Value, bool] = {}

    def plans(self, block: code.Block) -> Iterator[Plan]:
        start = 0
        for position, s in enumerate(block):
            for inner in inner_blocks(s):
                yield from self.plans(inner)
            if isinstance(s, code.Synchronize) and s.effects.waits is Waits.BLOCK:
                plan = Segment(self, block, start, position).plan(s)
                if plan is not None:
                    yield plan
            if any(t.effects.waits is Waits.BLOCK for t in all_statements((s,))):
                start = position + 1

    def stays(self, root: core.Root) -> bool:
        """Whether no thread changes the memory."""
        outside = root.kind in (core.RootKind.ARGUMENT, core.RootKind.GLOBAL)
        return outside and not self.calls and (root.memory, False) not in self.changed

    def is_same(self, expr: core.Expr) -> bool:
        """Whether it is the same number for all threads of the block, all the time."""
        return all(
            e.var not in THREADS if isinstance(e, core.Builtin) else not isinstance(e, core.Use) or self._same(e.value)
            for e in subexpressions(expr)
        )

    def _same(self, value: core.Value) -> bool:
        if value not in self.defined:
            return True
        if value not in self.same:
            self.same[value] = False
            init = self.counts.get(value, self.known.get(value))
            if init is None and value in self.loaded:
                element = self.loaded[value]
                init = element.index if not element.adjoint and self.stays(element.root) else None
            self.same[value] = init is not None and self.is_same(init)
        return self.same[value]


class Segment:
    """What stands between two barriers of a block."""

    def __init__(self, kernel: Kernel, around: code.Block, start: int, end: int) -> None:
        self.kernel, self.block = kernel, around[start:end]
        self.before = around[:start]
        self.paths: dict[code.Statement, Path] = {}
        self.owners: dict[core.Value, Path] = {}  # where variables are defined
        self.writers: dict[core.Value, list[code.Statement]] = {}
        self._walk(self.block, ())
        self.taken = self._taken_once()

    def _walk(self, block: code.Block, outer: Path) -> None:
        for position, s in enumerate(block):
            path = (*outer, (block, position))
            self.paths[s] = path
            for v in written(s):
                self.writers.setdefault(v, []).append(s)
            for v in defined(s):
                self.owners[v] = path
            for inner in inner_blocks(s):
                self._walk(inner, path)

    def plan(self, barrier: code.Synchronize) -> Plan | None:
        by_root: dict[core.Root, list[code.AddElement]] = {}
        others: set[core.Root] = set()
        for s in self.paths:
            if isinstance(s, code.AddElement) and self._may_gather(s):
                by_root.setdefault(s.root.storage, []).append(s)
            else:
                others |= {r.memory for r, adjoint in touched_roots(s) if adjoint}
        additions: list[Addition] = []
        hulls: dict[core.Root, Hull] = {}
        for root, statements in by_root.items():
            if root.memory in others:
                continue
            told = {v for a in additions for v in a.told}
            found: list[Addition] = []
            for s in sorted(statements, key=self._in_loops, reverse=True):
                addition = self.addition(s, told)
                if addition is None:
                    break
                found.append(addition)
                told |= addition.told.keys()
            if len(found) < len(statements):
                continue
            hull = Hull.of((a.place, a.counts) for a in found)
            if hull is None or not any(hull.more) or max(hull.more) > _MOST_SHIFTED:
                continue
            if self.kernel.asked - set(hull.coordinates):
                continue
            hulls[root] = hull
            additions += found
        if not hulls:
            return None
        plan = Plan(barrier, tuple(additions), hulls, self)
        return plan if len(plan.told) <= _MOST_TOLD else None

    def _in_loops(self, s: code.AddElement) -> bool:
        return any(isinstance(block[k], code.CountDown) for block, k in self.paths[s])

    @staticmethod
    def _may_gather(s: code.AddElement) -> bool:
        shared = s.root.kind is core.RootKind.SHARED and s.adjoint and not s.root.dynamic and s.root.length is not None
        number = isinstance(adjoint_value(s.root.element), Scalar) and not is_half(s.root.adjoint_cell)
        plain = not (s.assigned or s.privatised or s.row)
        return shared and number and plain and s.update in (Update.ATOMIC, Update.REDUCED)

    # ---- what an addition is made of ---------------------------------------------------------------------------------

    def addition(self, s: code.AddElement, told: Set[core.Value]) -> Addition | None:
        """One where threads have `told` something already."""
        path = self.paths[s]
        around = [block[position] for block, position in path[:-1]]
        if not all(isinstance(t, code.Branch | code.CountDown) for t in around):
            return None
        loops = [t for t in around if isinstance(t, code.CountDown)]
        if any(t.mask is not None or t.fetched or t.team is not None for t in loops):
            return None
        known = {t.variable: self._most(t.count) for t in loops}
        if any(known[t.variable] is None and not self._in_scope(t.count) for t in loops):
            return None
        index = self.written_out(s.index, known)
        place = None if index is None else shifted(index, known)
        if place is None or not all(self._in_scope(a) for m, _ in place.rest.terms for a in m):
            return None
        asking = _Asking(self, path, known.keys(), told)
        conditions = [t.condition for t in around if isinstance(t, code.Branch)]
        if not all(map(asking.visit, (s.expr, *conditions))):
            return None
        counts = {v: n for v, n in known.items() if n is not None}
        lengths = {t.variable: e for t in loops if (e := self._asked_length(t.count)) is not None}
        return Addition(s, path, place, counts, lengths, frozenset(asking.again), asking.told)

    def _most(self, count: core.Expr) -> int | None:
        """How many turns a loop has at most."""
        whole = self.written_out(count, {})
        found = None if whole is None else range_of(whole)
        return None if found is None or found[1] <= 0 else found[1]

    def _asked_length(self, count: core.Expr) -> core.Expr | None:
        """The number of turns where threads have different ones."""
        whole = self.written_out(count, {})
        return None if whole is None or isinstance(whole, core.Const) or self._in_scope(count) else whole

    def _taken_once(self) -> dict[core.Root, dict[BuiltinVar, int]]:
        """The adjoints in shared memory of which elements are taken here and nothing else is done, each element once in
        blocks within limits."""
        takes: dict[core.Root, list[code.Take]] = {}
        others: set[core.Root] = set()
        for s in self.paths:
            if isinstance(s, code.Take) and s.zero and s.root.kind is core.RootKind.SHARED and not s.root.dynamic:
                takes.setdefault(s.root.storage, []).append(s)
            else:
                others |= {r.memory for r, adjoint in touched_roots(s) if adjoint}
        found: dict[core.Root, dict[BuiltinVar, int]] = {}
        for root, statements in takes.items():
            places = list(map(self._place_taken, statements))
            # an element may be that of several threads, which all store the same there
            known = [p for p in places if p is not None and asked(p[0]) >= self.kernel.asked]
            limits = taken_once(known) if len(known) == len(places) and root.memory not in others else None
            if limits is not None:
                found[root] = limits
        return found

    def _place_taken(self, s: code.Take) -> tuple[core.Expr, dict[core.Value, int]] | None:
        """What is taken where, on a way that can be gone again at the end of the segment."""
        around = [block[k] for block, k in self.paths[s][:-1]]
        loops = [t for t in around if isinstance(t, code.CountDown)]
        counts = {t.variable: n for t in loops if t.mask is None and (n := self._most(t.count)) is not None}
        conditions = [t.condition for t in around if isinstance(t, code.Branch)]
        index = self.written_out(s.index, counts)
        simple = len(counts) + len(conditions) == len(around)
        again = simple and all(self.written_out(e, counts) is not None for e in conditions)
        return None if index is None or not again else (index, counts)

    def written_out(self, expr: core.Expr, loops: Mapping[core.Value, object]) -> core.Expr | None:
        """An integer by the thread's coordinates, counters of `loops` and what is the same for all threads."""
        whole = written_out(expr, lambda v: None if v in loops or self.is_there(v) else self.kernel.known.get(v))
        if whole is None or not all(is_integer(e.type) for e in subexpressions(whole)):
            return None
        return whole if all(v in loops or self.is_there(v) for v in values(whole)) else None

    def is_there(self, value: core.Value) -> bool:
        """Whether it is the same for all threads, and known at the end of the segment."""
        return len(self.owners.get(value, "_")) == 1 and self.kernel.is_same(core.Use(value))

    def _in_scope(self, expr: core.Expr) -> bool:
        return self.kernel.is_same(expr) and all(map(self.is_there, values(expr)))

    def level(self, value: core.Value) -> int:
        """How many statements of the segment are around the definition."""
        return len(self.owners[value]) - 1 if value in self.owners else 0

    def loaded(self, value: core.Value) -> code.Define | None:
        """The load from shared memory, before the segment, of what is still there."""
        element = self.kernel.loaded.get(value)
        if element is None or element.adjoint or element.root.kind is not core.RootKind.SHARED or value in self.owners:
            return None
        for k, s in enumerate(self.before):
            if isinstance(s, code.Define) and s.variable is value:
                return None if self.is_stored(element.root, self.before[k:]) else s
        return None

    def is_stored(self, root: core.Root, before: code.Block = ()) -> bool:
        """Whether something is stored to the memory, in the segment and before."""
        changing = [s for s in all_statements((*before, *self.block)) if s.effects.writes is not Memory.NONE]
        known = all(s.effects.writes is not Memory.ANY and not s.effects.calls for s in changing)
        return not known or any((r.memory, a) == (root.memory, False) for s in changing for r, a in touched_roots(s))

    def copied(self, value: core.Value) -> code.Define | None:
        """The definition of what is another variable once more."""
        for s in self.writers.get(value, ()):
            if isinstance(s, code.Define) and not s.mutable and isinstance(s.init, core.Use):
                return s
        return None

    def settled(self, value: core.Value, path: Path) -> bool:
        """Whether it has, at a statement, what it has at the end of the block that defines it."""
        level = self.level(value)
        return all(self.paths[w][level][1] < path[level][1] for w in self.writers.get(value, ()))


class _Asking:
    """What is asked for to make an addition in another thread's place: numbers that are told, and statements that are
    run again, which are those in loops, and others that need nothing more to be told."""

    def __init__(self, segment: Segment, path: Path, loops: Set[core.Value], known: Set[core.Value]) -> None:
        self.segment, self.path, self.loops, self.known = segment, path, loops, known
        inside = (k for k, (block, position) in enumerate(path) if isinstance(block[position], code.CountDown))
        self.outermost = next(inside, len(path))
        self.again: dict[code.Statement, None] = {}
        self.told: dict[core.Value, code.Block] = {}

    def visit(self, expr: core.Expr) -> bool:
        return all(self._value(v, self.path, tells=True) for v in values(expr))

    def _value(self, v: core.Value, path: Path, *, tells: bool) -> bool:
        segment = self.segment
        if v in self.loops or v in self.told or segment.is_there(v):
            return True
        if is_integer(v.type) and segment.written_out(core.Use(v), dict.fromkeys(self.loops)) is not None:
            return True
        if segment.level(v) > self.outermost:
            return all(self._again(w, tells=tells) for w in segment.writers[v])
        if v in self.known:
            return self._tell(v, path)
        loaded = segment.loaded(v)
        if loaded is not None:
            self.again[loaded] = None
            return all(self._value(u, path, tells=tells) for e in expressions(loaded) for u in values(e))
        copied = segment.copied(v)
        if copied is not None and self._again(copied, tells=tells):
            return True
        before = dict(self.again), dict(self.told)
        if v in segment.owners and all(self._again(w, tells=False) for w in segment.writers[v]):
            return True
        self.again, self.told = before
        return tells and self._tell(v, path)

    def _tell(self, v: core.Value, path: Path) -> bool:
        if not isinstance(v.type, Scalar) or is_half(v.type) or not self.segment.settled(v, path):
            return False
        owner = self.segment.owners.get(v)
        self.told[v] = self.segment.block if owner is None else owner[-1][0]
        return True

    def _again(self, s: code.Statement, *, tells: bool) -> bool:
        """A statement that is run once more: it stands before the addition, on the way to it."""
        if s in self.again:
            return True
        path = self.segment.paths[s]
        level = next((k for k, (mine, other) in enumerate(zip(path, self.path, strict=False)) if mine != other), None)
        if level is None or path[level][0] is not self.path[level][0] or path[level][1] > self.path[level][1]:
            return False
        branches = [block[k] for block, k in path[level:-1]]
        if not isinstance(s, _STRAIGHT) or not all(isinstance(b, code.Branch) for b in branches):
            return False
        for b in branches:
            self.again[b] = None
            if not all(self._value(v, path, tells=tells) for e in expressions(b) for v in values(e)):
                return False
        self.again[s] = None
        if isinstance(s, code.Take):
            left = s.root.storage in self.segment.taken
            return left and all(self._value(v, path, tells=tells) for v in values(s.index))
        made = s.init if isinstance(s, code.Define) else s.expr
        match made:
            case code.Element(root, index, adjoint):
                shared = root.kind is core.RootKind.SHARED and not self.segment.is_stored(root)
                if adjoint or not (shared or self.segment.kernel.stays(root)):
                    return False
                made = index
            case code.UserCall() | code.MemberOf() | code.Together():
                return False
        return all(self._value(v, path, tells=tells) for v in values(made))
