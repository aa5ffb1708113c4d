"""What has no derivative itself, and decides which numbers a derivative flows through: indices of what is loaded and
stored, conditions of branches and loops that compute with active numbers, the lanes that are asked.

So does what these are made of, by way of values and of memory that have no derivative: `used[at]`, and the conditions
under which it is stored."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.analysis.activity import Activity
from cladpy.ir import core
from cladpy.ir.walk import argument_operands, defined, operands, statements, subexpressions, values


def steering(function: core.Function, activity: Activity) -> frozenset[core.Value]:
    """The inactive values that steer."""
    return frozenset(_Search(function, activity).found)


class _Search:
    def __init__(self, function: core.Function, activity: Activity) -> None:
        self.activity = activity
        self.found: set[core.Value] = set()
        self.made: dict[core.Value, list[core.Expr]] = {}  # what values are made of
        self.loaded: dict[core.Value, core.Root] = {}
        self.stored: dict[core.Root, list[core.Expr]] = {}  # what decides what is in memory
        self.work: list[core.Expr] = []
        self._read(function.body, ())
        seen: set[core.Root] = set()
        while self.work:
            for value in set(values(self.work.pop())) - self.found - activity.values:
                self.found.add(value)
                self.work += self.made.get(value, ())
                root = self.loaded.get(value)
                if root is not None and root.memory not in seen:
                    seen.add(root.memory)
                    self.work += self.stored.get(root.memory, ())

    def _read(self, region: core.Region, under: tuple[core.Expr, ...]) -> None:
        for s in region:
            self.work += self._steered_by(s)
            match s:
                case core.Let(value, expr):
                    self.made[value] = [expr]
                case core.Load(value, root, index):
                    self.made[value], self.loaded[value] = [index], root
                case core.If(condition, then, other, merges):
                    for m in merges:
                        self.made[m.value] = [condition, m.then, m.other]
                    self._read(then, (*under, condition))
                    self._read(other, (*under, condition))
                case core.Loop(carried, before, condition, body):
                    for c in carried:
                        self.made[c.value] = [c.init, c.next]
                        self.made[c.result] = [core.Use(c.value), condition]
                    self._read(before, under)
                    self._read(body, (*under, condition))
                case _:
                    for value in defined(s):
                        self.made[value] = list(operands(s))
            if isinstance(s, core.WRITES):
                self.stored.setdefault(s.root.memory, []).extend((*operands(s), *under))

    def _steered_by(self, s: core.Statement) -> Iterator[core.Expr]:
        """What decides where a statement's derivative flows."""
        active = self.activity
        match s:
            case core.If() | core.Loop():
                if any(active.statement(i) for i in statements((s,))):
                    yield s.condition
            case core.Load(_, root, index) | core.Store(root, index) | core.AtomicAdd(root, index):
                if root in active.roots or root in active.shadowed:
                    yield index
            case core.Call(arguments=arguments):
                if active.positions(s):
                    yield from (e for a in arguments for e in argument_operands(a))
            case core.Collective():
                if active.statement(s):
                    yield from s.arguments
            case _:
                pass
        for expr in operands(s):
            for e in subexpressions(core.primal(expr)):
                if isinstance(e, core.Select) and active.expr(e):
                    yield e.condition
