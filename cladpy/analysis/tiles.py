"""Where the contents of shared memory begin: at the start of a loop's iteration, where no iteration sees what an
earlier one left.

A tile that every iteration loads anew need not be stored for the reverse sweep, which loads it again. That takes a
proof that whatever an iteration reads, if anybody ever wrote it, has been written in the same iteration: all stores
have addresses, and conditions, that are the same in each iteration, and come before the loads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cladpy.analysis.affine import Affine, affine
from cladpy.ir import core
from cladpy.ir.walk import defined, regions, statements, touched, values

Guard = tuple[tuple[core.Statement, int], ...]  # the control flow around a store, with the arm of a branch


@dataclass(frozen=True, slots=True)
class _Written:
    """Cells that an iteration writes for certain: those at `index`, by the threads that pass `guard`."""

    index: Affine
    guard: Guard


def with_scopes(function: core.Function) -> core.Function:
    """The function with each allocation of shared memory where its contents begin."""
    allocations = [s for s in function.body if isinstance(s, core.Allocate) and s.root.kind is core.RootKind.SHARED]
    if not allocations:
        return function
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    body: core.Region = tuple(s for s in function.body if s not in allocations)
    parts = {a.root.part_of for a in allocations}
    for allocation in reversed(allocations):
        if allocation.root.part_of is not None or allocation.root in parts:
            body = (allocation, *body)  # memory that is used as several types is not followed
            continue
        body = _placed(body, allocation, lets)
    return replace(function, body=body)


def _placed(region: core.Region, allocation: core.Allocate, lets: Mapping[core.Value, core.Expr]) -> core.Region:
    """The region with the allocation as deep inside as it may be."""
    root = allocation.root
    users = [s for s in region if _uses(s, root)]
    if len(users) == 1:
        match users[0]:
            case core.If(then=then, other=other) as branch:
                arms = [any(_uses(s, root) for s in arm) for arm in (then, other)]
                if arms == [True, False]:
                    return _replaced(region, branch, replace(branch, then=_placed(then, allocation, lets)))
                if arms == [False, True]:
                    return _replaced(region, branch, replace(branch, other=_placed(other, allocation, lets)))
            case core.Loop(before=before, body=body) as loop:
                if not any(_uses(s, root) for s in before) and _Iteration(loop, root, lets).is_closed():
                    return _replaced(region, loop, replace(loop, body=_placed(body, allocation, lets)))
            case _:
                pass
    return (allocation, *region)


def _replaced(region: core.Region, old: core.Statement, new: core.Statement) -> core.Region:
    return tuple(new if s is old else s for s in region)


def _uses(statement: core.Statement, root: core.Root) -> bool:
    return any(root in touched(s) for s in statements((statement,)))


class _Iteration:
    """One loop, and what its iterations do to one piece of shared memory."""

    def __init__(self, loop: core.Loop, root: core.Root, lets: Mapping[core.Value, core.Expr]) -> None:
        self.loop = loop
        self.root = root
        self.lets = lets
        self.changing = self._changing()

    def is_closed(self) -> bool:
        """Whether what an iteration loads, and anybody wrote, it has stored itself before."""
        seen: list[_Written] = []
        every = [w for s in statements(self.loop.body) for w in self._possible(s)]
        if None in every:
            return False
        return self._follow(self.loop.body, (), seen, {w for w in every if w is not None})

    def _possible(self, statement: core.Statement) -> list[_Written | None]:
        """What a statement may write in some iteration; None for what is not known."""
        if not isinstance(statement, core.WRITES) or statement.root is not self.root:
            return []
        if self._varies(statement.index):
            return [None]
        return [_Written(affine(statement.index, self.lets), self._guard_of(statement))]

    def _guard_of(self, statement: core.Statement) -> Guard:
        """The control flow around a store that is the same in every iteration."""
        found: list[tuple[core.Statement, int]] = []

        def visit(region: core.Region, guard: Guard) -> bool:
            for s in region:
                if s is statement:
                    found.extend(guard)
                    return True
                for arm, inner in enumerate(regions(s)):
                    constant = isinstance(s, core.If | core.Loop) and not self._control_varies(s)
                    if visit(inner, (*guard, (s, arm)) if constant else guard):
                        return True
            return False

        visit(self.loop.body, ())
        return tuple(found)

    def _follow(self, region: core.Region, guard: Guard, seen: list[_Written], every: set[_Written]) -> bool:
        """Goes through a region in order; `seen` collects what has certainly been written."""
        for statement in region:
            match statement:
                case core.Store(root=root, index=index) if root is self.root:
                    seen.append(_Written(affine(index, self.lets), guard))
                case core.AtomicAdd(root=root) | core.Atomic(root=root) if root is self.root:
                    if not every <= set(seen):  # it reads what it adds to
                        return False
                case _ if self.root in touched(statement):
                    if not every <= set(seen):
                        return False
                case core.If():
                    if not self._follow_branch(statement, guard, seen, every):
                        return False
                case core.Loop(before=before, body=body):
                    mine: list[_Written] = list(seen)
                    constant = not self._control_varies(statement)
                    inner_guard = (*guard, (statement, 1)) if constant else guard
                    if not (self._follow(before, guard, mine, every) and self._follow(body, inner_guard, mine, every)):
                        return False
                    if constant:
                        seen += [w for w in mine if w not in seen]
                case _:
                    pass
        return True

    def _follow_branch(self, branch: core.If, guard: Guard, seen: list[_Written], every: set[_Written]) -> bool:
        if not self._control_varies(branch):
            arms = ((branch, 0), branch.then), ((branch, 1), branch.other)
            return all(self._follow(inner, (*guard, arm), seen, every) for arm, inner in arms)
        then_seen, other_seen = list(seen), list(seen)
        closed = self._follow(branch.then, guard, then_seen, every)
        closed = closed and self._follow(branch.other, guard, other_seen, every)
        seen += [w for w in then_seen if w in other_seen and w not in seen]
        return closed

    # ---- what differs between iterations -------------------------------------------------------------------------

    def _varies(self, expr: core.Expr) -> bool:
        return any(v in self.changing for v in values(expr))

    def _control_varies(self, statement: core.If | core.Loop) -> bool:
        if isinstance(statement, core.If):
            return self._varies(statement.condition)
        return self._varies(statement.condition) or any(c.value in self.changing for c in statement.carried)

    def _changing(self) -> set[core.Value]:
        """The values of the loop that may differ from one iteration to the next. An inner loop's counter does not:
        it goes through the same values each time."""
        body = (*self.loop.before, *self.loop.body)
        written = {s.root for s in statements(body) if isinstance(s, core.WRITES)}
        changing = {v for c in self.loop.carried for v in (c.value, c.result)}
        while True:
            before = len(changing)
            for s in statements(body):
                changing |= _depending(s, changing, written)
            if len(changing) == before:
                return changing


def _depending(statement: core.Statement, changing: set[core.Value], written: set[core.Root]) -> set[core.Value]:
    """What a statement defines that depends on values that change."""

    def varies(expr: core.Expr) -> bool:
        return any(v in changing for v in values(expr))

    match statement:
        case core.Let(value, expr):
            return {value} if varies(expr) else set()
        case core.Load(value, root, index):
            return {value} if root in written or varies(index) else set()
        case core.If(condition, _, _, merges):
            return {m.value for m in merges if varies(condition) or varies(m.then) or varies(m.other)}
        case core.Loop(carried, _, condition):
            through = {v for c in carried if varies(c.init) or varies(c.next) for v in (c.value, c.result)}
            return through | ({c.result for c in carried} if varies(condition) else set())
        case _:
            return set(defined(statement))
