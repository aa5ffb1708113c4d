"""Which arithmetic must come out the same each time: what decides a branch, a trip count or an index that is evaluated
more than once."""

from __future__ import annotations

from cladpy.analysis.structure import Index
from cladpy.ir import core, reach
from cladpy.ir.types import is_floating
from cladpy.ir.walk import defined, operands, statements, values


def everything(function: core.Function) -> tuple[frozenset[core.Value], frozenset[core.Root]]:
    """All values, and all memory that is stored to."""
    every = list(statements(function.body))
    found = {v for s in every for v in defined(s)}
    found |= {c.value for s in every if isinstance(s, core.Loop) for c in s.carried}
    return frozenset(found), frozenset(s.root for s in every if isinstance(s, core.Store))


def exact_values(function: core.Function, index: Index) -> tuple[frozenset[core.Value], frozenset[core.Root]]:
    """The values whose arithmetic feeds a decision or an index that may be evaluated more than once, and the memory
    that it passes through.

    A function without loops, at its top level, evaluates everything once.
    """
    found = _Exact(function, index)
    found.run()
    return frozenset(found.values), frozenset(found.roots)


class _Exact:
    def __init__(self, function: core.Function, index: Index) -> None:
        self.function = function
        self.index = index
        self.values: set[core.Value] = set()
        self.roots: set[core.Root] = set()
        self.work: list[core.Value] = []

    def run(self) -> None:
        loops = any(isinstance(s, core.Loop) for s in statements(self.function.body))
        for statement in statements(self.function.body):
            if loops or self.index.places[statement].around:
                self._decisions(statement)
        while self.work:
            value = self.work.pop()
            definition = self.index.definitions.get(value)
            if definition is not None:
                self._define(value, definition)

    def _feed(self, expr: core.Expr) -> None:
        for value in values(expr):
            if value not in self.values:
                self.values.add(value)
                self.work.append(value)

    def _feed_memory(self, root: core.Root) -> None:
        """What is stored to memory from which a decision is made."""
        if root in self.roots:
            return
        stores = [s for s in statements(self.function.body) if isinstance(s, core.Store) and s.root is root]
        if stores or root in self.index.allocations:
            self.roots.add(root)
        for store in stores:
            self._feed(store.expr)

    def _feed_call(self, call: core.Call) -> None:
        for expr in operands(call):
            self._feed(expr)
        for root in reach.touched(call, self.function):
            self._feed_memory(root)

    def _decisions(self, statement: core.Statement) -> None:
        match statement:
            case core.If(condition) | core.Loop(_, _, condition):
                self._feed(condition)
            case core.Let(value, expr) if not is_floating(value.type):
                self._feed(expr)
            case core.Load(_, _, at) | core.Store(_, at):
                self._feed(at)
            case core.Barrier(predicate=predicate) if predicate is not None:
                self._feed(predicate)
            case core.Collective(value) if value is not None and not is_floating(value.type):
                for expr in statement.arguments:
                    self._feed(expr)
            case core.Call() if statement.writes:  # its pullback finds what it found
                self._feed_call(statement)
            case _:
                pass

    def _define(self, value: core.Value, statement: core.Statement) -> None:
        """What a value is made of."""
        match statement:
            case core.Let(_, expr):
                self._feed(core.primal(expr))
            case core.Load(_, root):
                self._feed_memory(root)
            case core.If(merges=merges):
                for m in merges:
                    if m.value is value:
                        self._feed(m.then)
                        self._feed(m.other)
            case core.Loop(carried):
                for c in carried:
                    if value in (c.value, c.result):
                        self._feed(c.init)
                        self._feed(c.next)
            case core.Call():
                self._feed_call(statement)
            case core.Barrier(predicate=predicate):
                assert predicate is not None, "what the value is made of"
                self._feed(predicate)
            case core.AtomicAdd() | core.Atomic():
                pass  # refused: nobody knows the order of the threads
            case core.Collective(arguments=arguments):
                for expr in arguments:
                    self._feed(expr)
            case _:
                raise AssertionError("a statement that defines nothing")
