"""The structure of a core function: where statements stand, what defines a value, what may be executed before what."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from cladpy.ir import core, reach
from cladpy.ir.walk import defined, regions


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement stands: its position in program order, and the statements around it from the outside in."""

    position: int
    around: tuple[core.Statement, ...]

    def loops(self) -> tuple[core.Loop, ...]:
        return tuple(s for s in self.around if isinstance(s, core.Loop))


@dataclass(slots=True)
class Index:
    """The structure of a function, for looking things up."""

    places: dict[core.Statement, Place] = field(default_factory=dict)
    definitions: dict[core.Value, core.Statement] = field(default_factory=dict)
    allocations: dict[core.Root, core.Allocate | core.Acquire] = field(default_factory=dict)
    stores: dict[core.Root, list[core.Statement]] = field(default_factory=lambda: defaultdict(list))
    loads: dict[core.Root, list[core.Load]] = field(default_factory=lambda: defaultdict(list))
    function: core.Function | None = None
    shared: core.Root | None = None  # stands for all arguments, where they may overlap

    @staticmethod
    def of(function: core.Function, may_alias: bool) -> Index:
        index = Index(function=function)
        if may_alias:
            roots = (c for p in function.parameters for c in p.contents if isinstance(c, core.Root))
            index.shared = next(roots, None)
        index._add(function.body, ())
        return index

    def memory(self, root: core.Root) -> core.Root:
        """The root that stands for all memory which may be this root's."""
        return self.shared if self.shared is not None and root.outlives else root.memory

    def touched(self, call: core.Call, positions: frozenset[int] | None = None) -> list[core.Root]:
        """The memory that a call may read or write, by the arguments at some positions."""
        assert self.function is not None
        return [self.memory(root) for root in reach.touched(call, self.function, positions)]

    def written(self, statement: core.Statement) -> list[core.Root]:
        """The memory that a statement may write."""
        assert self.function is not None
        return [self.memory(root) for root in reach.written(statement, self.function)]

    def _add(self, region: core.Region, around: tuple[core.Statement, ...]) -> None:
        for statement in region:
            self.places[statement] = Place(len(self.places), around)
            for value in defined(statement):
                self.definitions[value] = statement
            for root in self.written(statement):
                self.stores[root].append(statement)
            match statement:
                case core.Load(_, root):
                    self.loads[self.memory(root)].append(statement)
                case core.Allocate(root):
                    self.allocations[root] = statement
                case core.Acquire(allocation) if self.function is not None:
                    roots = (r for v in self.function.heap if v.symbol is allocation for r in v.roots if not r.numbered)
                    self.allocations.update(dict.fromkeys(roots, statement))
                case core.Loop(carried):
                    for c in carried:
                        self.definitions[c.value] = statement
                case _:
                    pass
            for inner in regions(statement):
                self._add(inner, (*around, statement))

    def inside(self, statement: core.Statement, root: core.Root) -> tuple[core.Statement, ...]:
        """What is around a statement within the region where the root was allocated; all of it, where that is a branch
        that the statement stands outside of: the memory may be older than what is around both."""
        around = self.places[statement].around
        allocation = self.allocations.get(root)
        outer = () if allocation is None else self.places[allocation].around
        return around[len(outer) :] if around[: len(outer)] == outer else around

    def may_precede(self, first: core.Statement, second: core.Statement, root: core.Root) -> bool:
        """Whether `first` may be executed before `second` while the root's memory is one and the same."""
        if self.places[first].position < self.places[second].position:
            return True
        theirs = {s for s in self.inside(second, root) if isinstance(s, core.Loop)}
        return any(s in theirs for s in self.inside(first, root))
